type Keyed = { key: number };

/** The items of several lists that are each sorted by key, in order; of equal keys those of the earlier list first. */
export function* mergeSorted<T extends Keyed>(lists: readonly Iterable<T>[]): Generator<T> {
  const iterators = lists.map((list) => list[Symbol.iterator]());
  const heads: (T | undefined)[] = iterators.map((iterator) => iterator.next().value);
  // A binary heap of the numbers of lists.
  const heap = heads.flatMap((head, list) => (head ? [list] : []));
  const isBefore = (left: number, right: number) =>
    heads[left]!.key < heads[right]!.key || (heads[left]!.key === heads[right]!.key && left < right);
  const sink = (from: number) => {
    const list = heap[from];
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], list)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = list;
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  while (heap.length > 0) {
    const list = heap[0];
    yield heads[list]!;
    const next = iterators[list].next();
    heads[list] = next.value;
    if (next.done) {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      heap[0] = last;
    }
    sink(0);
  }
}
