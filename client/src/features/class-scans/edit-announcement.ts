import type { ClassScan, ClassScanEdit } from '@assay/shared/class-scans.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'

/** What a screen reader says once a change is stored; papers have the numbers that they are shown with then. */
export function announceEdit({ papers, dropped }: ClassScan, edit: ClassScanEdit, after: ClassScan): string {
  const all = [...papers.flatMap(({ pages }) => pages), ...dropped]
  const pages = (keys: readonly string[]) =>
    capitalized(
      numberedList(
        'page',
        all.filter(({ key }) => keys.includes(key)).map(({ page }) => page),
      ),
    )
  const paper = (key: string, among = after.papers) => `paper ${among.findIndex((one) => one.key === key) + 1}`
  switch (edit.kind) {
    case 'move':
      return `${pages(edit.pages)} moved to ${edit.paper === null ? 'a new paper' : paper(edit.paper)}.`
    case 'turn':
      return `${pages(edit.pages)} turned.`
    case 'drop':
      return `${pages(edit.pages)} dropped.`
    case 'duplicate':
      return `${pages([edit.page])} duplicated.`
    case 'split':
      return `A new paper begins with ${pages([edit.page]).toLowerCase()}.`
    case 'join':
      return `${capitalized(paper(edit.paper, papers))} joined to the paper before it.`
    case 'student':
      return `Student of ${paper(edit.paper)} ${edit.student_id === null ? 'removed' : 'chosen'}.`
    case 'check':
      return `${capitalized(paper(edit.paper))} ${edit.checked ? 'looks right' : 'is to be looked at'}.`
  }
}
