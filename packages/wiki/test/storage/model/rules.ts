/**
 * The rules of the commit protocol, each in one sentence. The model obeys all of them; a test leaves out one
 * after the other and demands that something then breaks. What nothing misses is not a rule.
 */
export const RULES = {
  'one winner for each parent': 'a chain name that exists is never overwritten',
  'a chain name is never absent again': 'no link of the chain is removed, however old',
  'the pack before the link': 'the pack and its index are in place before the commit is linked',
  'the pack is durable before the link': 'the pack is synced before the commit is linked',
  'a start completes the packs of the chain':
    'the index of a chained pack that a power cut hid is put in its place again',
  'the packs are settled before the hint': 'a start skips no pack that a power cut may have hidden',
  'the packs are settled before the ref': 'native git sees the pack of each commit that the ref reaches',
  'a name that leads to our commit is ours': 'a link whose reply was lost is not taken for a lost race',
  'a fresh nonce for each attempt': 'no two attempts make the same commit, so no two uploads share a name',
  'the link is durable before the acknowledgement':
    'the chain directory is synced before the caller hears of it',
  'the link is durable before the ref': 'the chain directory is synced before the ref moves to what it names',
  'a lost race builds anew': 'a change that lost its parent is built again on the newest commit',
  'the start is a member of the chain': 'a cold process begins at chain/head, never at the ref',
  'the chain directory is opened first': 'a head is fresh because the directory is opened before its names',
  'the requests directory is opened first': 'an id is looked up after its directory was opened',
  'the base before the look-up': 'the base is fixed before the id is looked up in it',
  'the look-up': 'the id is looked up in the base and its ancestors',
  'the look-up reads the base itself': 'the newest commit may lack its entry, so its own trailers are read',
  'a young id is looked up too': 'no clock says that an id is too young to have been applied',
  'the look-up of adopted commits': 'after a lost race the trailers of every commit on the way are read',
  'an entry before the next link': 'before a child of T is linked, the entry of T exists',
  'an entry before an adoption': 'before a push is linked behind T, the entry of T exists',
  'an entry is durable before the next link': 'before a child of T is linked, the entry of T is synced',
  'a wrong entry is replaced': 'an entry that names a commit which the chain lost is made anew',
  'an entry counts only in the base': 'an entry whose commit is no ancestor of the base is no answer',
  'the age after the look-up': 'the age of an id is checked only after a look-up that missed',
  'an old id is not applied': 'an id older than a day that was not found is never applied',
  'entries outlive their id': 'an entry stays a day longer than its id may be applied',
  'pushed trailers have no say': 'what a native push claims to be is not trusted',
  'a pack goes when its parent has another child': 'no age makes it safe to delete a pack that nobody linked',
  'a lost pack is left to git':
    'beside native git a pack that nobody links is not deleted, but left to git gc',
  'a merged pack is durable first': 'packs go only when their copy is synced',
  'a reader lists again': 'a reader that misses a pack lists the directory again',
  'the ref moves under its lock': "beside native git the ref is written under git's own lock",
  'a second look under the lock': 'what the ref holds is read again once the lock is held',
  'only a dead lock is taken over': 'the lock of a process that is merely slow is left alone',
  'one taker for a dead lock': 'of several that find the same dead lock one may remove it',
  'the ref never moves back': 'where the ref goes is decided after it was read',
  'a push is adopted': 'a ref ahead of the chain is linked into the chain, not overwritten',
  'a push beside a write is brought in': 'a ref beside the chain becomes a commit on the chain',
  'the id of an import is its commit': 'all that bring in one push do so under one request id',
  'the id of an import knows no age': 'the id of an import is applied and remembered however old',
  'a keep until the ref has it': 'a pack is kept from git gc until the ref contains its commit',
} as const;

export type Rule = keyof typeof RULES;
