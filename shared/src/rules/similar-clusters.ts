interface Pair {
  first: { submission_id: number }
  second: { submission_id: number }
}

/**
 * Pairs of papers by groups: two pairs with a paper in common are in one, and so on (connected components, by union-find). Groups come in
 * the order of their first pair, pairs in their own.
 */
export function similarClusters<P extends Pair>(pairs: readonly P[]): P[][] {
  const parents = new Map<number, number>()
  function rootOf(paper: number): number {
    const parent = parents.get(paper) ?? paper
    if (parent === paper) return paper
    const root = rootOf(parent)
    parents.set(paper, root)
    return root
  }
  for (const { first, second } of pairs) parents.set(rootOf(second.submission_id), rootOf(first.submission_id))
  return [...Map.groupBy(pairs, ({ first }) => rootOf(first.submission_id)).values()]
}

/** The papers of a group, each once. */
export function papersOf<P extends Pair>(pairs: readonly P[]): P['first'][] {
  const papers = pairs.flatMap(({ first, second }): P['first'][] => [first, second])
  return [...new Map(papers.map((paper) => [paper.submission_id, paper])).values()]
}
