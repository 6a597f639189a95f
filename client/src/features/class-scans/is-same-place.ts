import type { ClassScan } from '@assay/shared/class-scans.ts'
import type { DropPlace } from './PageDragging.tsx'

/** Whether a page that is dropped there lies where it did. */
export function isSamePlace(
  { papers, dropped }: Pick<ClassScan, 'papers' | 'dropped'>,
  page: string,
  { paper, before }: DropPlace,
): boolean {
  if (paper === null) return dropped.some(({ key }) => key === page)
  const pages = papers.find(({ key }) => key === paper)?.pages.map(({ key }) => key) ?? []
  const at = pages.indexOf(page)
  return at >= 0 && (pages[at + 1] ?? null) === before
}
