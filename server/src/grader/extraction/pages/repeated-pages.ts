import type { ReviewReason } from '../../grader.ts'
import { normalizeText } from '../../layout/paper-lines.ts'
import { trigramSimilarity } from '../../text/trigram-similarity.ts'
import type { RegisteredPage } from './registered-pages.ts'

/** Similarity of a page scanned twice. */
const SAME = 0.7

/** A repeated page counts once; if the second differs, there may be two papers in the file. */
export function withoutRepeatedPages(
  registered: readonly RegisteredPage[],
  order: readonly number[] = [],
): {
  kept: RegisteredPage[]
  repeated: RegisteredPage[]
  warnings: ReviewReason[]
} {
  const kept = new Map<number, RegisteredPage>()
  const repeated: RegisteredPage[] = []
  const warnings: ReviewReason[] = []
  for (const page of registered) {
    const first = kept.get(page.blankPage)
    if (!first) {
      kept.set(page.blankPage, page)
      continue
    }
    repeated.push({ ...page, writings: [] })
    if (trigramSimilarity(textOf(first), textOf(page)) < SAME) warnings.push(otherPaper(page.page, first.page, order))
  }
  return { kept: [...kept.values()], repeated, warnings }
}

/** `order`: the pages' numbers in the file, if reordered. */
export function otherPaper(page: number, first: number, order: readonly number[] = []): ReviewReason {
  const [again, graded] = [order[page - 1] ?? page, order[first - 1] ?? first]
  return {
    code: 'page_order',
    message: `Page ${again} answers the questions of page ${graded} again: there may be two papers in this file. Only page ${graded} was graded.`,
  }
}

const textOf = ({ writings }: RegisteredPage): string => normalizeText(writings.map(({ line }) => line.text).join(' '))
