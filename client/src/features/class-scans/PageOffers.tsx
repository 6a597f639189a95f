import type { ClassScan, ClassScanEdit, ClassScanPage, ClassScanPaper } from '@assay/shared/class-scans.ts'
import { Button } from '@mantine/core'
import classes from './class-scans.module.css'
import { studentSuffix } from './student-suffix.ts'

interface Props {
  scan: ClassScan
  page: ClassScanPage
  busy: boolean
  edit: (edit: ClassScanEdit) => void
}

/** Papers that lack just this page: one press puts it there, in its place. */
export function PageOffers({ scan, page, busy, edit }: Props) {
  const lacking = scan.papers
    .map((paper, i) => ({ paper, number: i + 1 }))
    .filter(({ paper }) => page.offers.includes(paper.key) && lacks(paper, page))
    .sort((a, b) => page.offers.indexOf(a.paper.key) - page.offers.indexOf(b.paper.key))
  return lacking.map(({ paper, number }) => (
    <Button
      key={paper.key}
      size="compact-sm"
      variant="default"
      className={classes.offer}
      disabled={busy}
      onClick={() =>
        edit({ kind: 'move', pages: [page.key], paper: paper.key, before: firstAfter(paper, page)?.key ?? null })
      }
    >
      Put into paper {number}
      {studentSuffix(scan, paper)}
    </Button>
  ))
}

const lacks = ({ pages }: ClassScanPaper, { blank_page }: ClassScanPage) =>
  pages.every((other) => other.blank_page !== blank_page)

const firstAfter = ({ pages }: ClassScanPaper, { blank_page }: ClassScanPage) =>
  pages.find((other) => (other.blank_page ?? 0) > (blank_page ?? 0))
