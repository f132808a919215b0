/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { DraftStore } from './draft-store.ts';
import { openForm } from './open-form.ts';

/** The additions to a form for text. The form works without them. */
const opening = DraftStore.open(document.body.dataset.drafts);
// It is reported where somebody waits for it.
opening.catch(() => undefined);
openForm(opening);
