/** The text of a form that is not saved yet, with what it was made from. */
export interface KeptDraft {
  /** The draft of one tab. */
  id: string;
  /** The address of the page. */
  page: string;
  content: string;
  message: string;
  version: string;
  at: string;
  marked: string;
  time: number;
}

/**
 * Drafts in IndexedDB, which this browser keeps. Each is written as a whole and durable when `put` ends, so that it outlives
 * a crash.
 */
export class DraftStore {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** `of` names the person, if people log in: nobody is offered the text of somebody else. */
  static async open(of?: string): Promise<DraftStore> {
    const name = of === undefined ? 'pagetree-drafts' : `pagetree-drafts-${of}`;
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
    return new DraftStore(await resultOf(opening));
  }

  async all(): Promise<KeptDraft[]> {
    const store = this.#database.transaction(STORE).objectStore(STORE);
    const drafts: KeptDraft[] = await resultOf(store.getAll());
    return drafts.sort((one, other) => other.time - one.time);
  }

  put(draft: KeptDraft): Promise<void> {
    return this.#change((store) => store.put(draft));
  }

  delete(ids: readonly string[]): Promise<void> {
    return this.#change((store) => {
      for (const id of ids) store.delete(id);
    });
  }

  #change(change: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = this.#database.transaction(STORE, 'readwrite', { durability: 'strict' });
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      change(transaction.objectStore(STORE));
    });
  }
}

const STORE = 'drafts';

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
