import {
  type ClassScan,
  type ClassScanEdit,
  type ClassScanPage,
  type ClassScanPaper,
  getClassScanPage,
} from '@assay/shared/class-scans.ts'
import { Loader, Menu, Modal, ScrollArea } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { MoreMenu } from '../../../components/display/MoreMenu.tsx'
import { LoadError } from '../../../components/layout/Page.tsx'
import { asApiError } from '../../../lib/api/api-error.ts'
import { usePicture } from '../../../lib/api/usePicture.ts'
import { useSeen } from '../../../lib/hooks/useSeen.ts'
import classes from './class-scans.module.css'
import { usePageDrag } from './PageDragging.tsx'

interface Props {
  scan: ClassScan
  page: ClassScanPage
  /** Null: it was dropped. */
  place: { paper: ClassScanPaper; index: number } | null
  busy: boolean
  edit: (edit: ClassScanEdit) => void
  show: (page: string) => void
}

export function PageCard({ scan, page, place, busy, edit, show }: Props) {
  const { ref, handleRef, isDragged, isTarget } = usePageDrag(page.key, place?.paper.key ?? null, busy)
  const name = `Page ${page.page} of the scan`
  const pages = [page.key]
  const beside = (step: -1 | 2) => {
    if (!place) return
    const before = place.paper.pages[place.index + step]?.key ?? null
    edit({ kind: 'move', pages, paper: place.paper.key, before })
  }
  const others = scan.papers.map((paper, i) => ({ paper, number: i + 1 })).filter(({ paper }) => paper !== place?.paper)
  return (
    <li
      ref={ref}
      className={classes.page}
      data-doubtful={page.doubts.length > 0 || undefined}
      data-dragged={isDragged || undefined}
      data-target={isTarget || undefined}
    >
      <button
        ref={handleRef}
        type="button"
        className={classes.open}
        aria-label={`Show ${name} large`}
        onClick={() => show(page.key)}
      >
        <PagePicture scan={scan} page={page} />
      </button>
      <div className={classes.pageFoot}>
        <span>
          {page.page}
          {page.blank_page !== null && <span className="dim"> · p. {page.blank_page}</span>}
        </span>
        <MoreMenu label={`Change ${name}`} width={240} variant="default" size="md" iconSize={16} disabled={busy}>
          {place && (
            <>
              <Menu.Item disabled={place.index === 0} onClick={() => beside(-1)}>
                Move left
              </Menu.Item>
              <Menu.Item disabled={place.index === place.paper.pages.length - 1} onClick={() => beside(2)}>
                Move right
              </Menu.Item>
              <Menu.Item disabled={place.index === 0} onClick={() => edit({ kind: 'split', page: page.key })}>
                New paper from here
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item onClick={() => edit({ kind: 'turn', pages, degrees: 90 })}>Turn right</Menu.Item>
          <Menu.Item onClick={() => edit({ kind: 'turn', pages, degrees: 180 })}>Turn upside down</Menu.Item>
          {place && (
            <>
              <Menu.Item onClick={() => edit({ kind: 'duplicate', page: page.key, paper: null })}>Duplicate</Menu.Item>
              <Menu.Item onClick={() => edit({ kind: 'drop', pages })}>Drop</Menu.Item>
            </>
          )}
          <Menu.Divider />
          <Menu.Label>Move to</Menu.Label>
          <ScrollArea.Autosize mah={220}>
            <Menu.Item onClick={() => edit({ kind: 'move', pages, paper: null, before: null })}>A new paper</Menu.Item>
            {others.map(({ paper, number }) => (
              <Menu.Item key={paper.key} onClick={() => edit({ kind: 'move', pages, paper: paper.key, before: null })}>
                Paper {number}
                {studentSuffix(scan, paper)}
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
        </MoreMenu>
      </div>
      <Doubts page={page} />
      <PageOffers scan={scan} page={page} busy={busy} edit={edit} />
    </li>
  )
}

function PageOffers({ scan, page, busy, edit }: Omit<Props, 'place' | 'show'>) {
  const lacking = scan.papers
    .map((paper, i) => ({ paper, number: i + 1 }))
    .filter(({ paper }) => page.offers.includes(paper.key) && lacks(paper, page))
    .sort((a, b) => page.offers.indexOf(a.paper.key) - page.offers.indexOf(b.paper.key))
  return lacking.map(({ paper, number }) => (
    <SecondaryButton
      key={paper.key}
      size="compact-sm"
      className={classes.offer}
      disabled={busy}
      onClick={() =>
        edit({ kind: 'move', pages: [page.key], paper: paper.key, before: firstAfter(paper, page)?.key ?? null })
      }
    >
      Put into paper {number}
      {studentSuffix(scan, paper)}
    </SecondaryButton>
  ))
}

const lacks = ({ pages }: ClassScanPaper, { blank_page }: ClassScanPage) =>
  pages.every((other) => other.blank_page !== blank_page)

const firstAfter = ({ pages }: ClassScanPaper, { blank_page }: ClassScanPage) =>
  pages.find((other) => (other.blank_page ?? 0) > (blank_page ?? 0))

const Doubts = ({ page }: Pick<Props, 'page'>) =>
  page.doubts.map((doubt) => (
    <p key={doubt} className={classes.doubt}>
      {doubt}
    </p>
  ))

function PagePicture({ scan, page: { page, turn } }: Pick<Props, 'scan' | 'page'>) {
  const { ref, seen } = useSeen<HTMLDivElement>('300px')
  const params = { assignmentId: scan.assignment_id, scanId: scan.id, page }
  const input = { params, query: { size: 'small' as const } }
  const { url } = usePicture(getClassScanPage, input, { seen })
  return (
    <div ref={ref} className={classes.picture}>
      {url && <img src={url} alt="" draggable={false} style={{ rotate: `${turn}deg` }} />}
    </div>
  )
}

function studentSuffix({ students }: ClassScan, { student_id }: ClassScanPaper): string {
  const student = students.find(({ id }) => id === student_id)
  return student ? `: ${student.name}` : ''
}

interface LargePageProps {
  scan: ClassScan
  shown: string | null
  show: (page: string | null) => void
}

export function LargePage({ scan, shown, show }: LargePageProps) {
  const list = [...scan.papers.map(({ pages }) => pages), scan.dropped].find((pages) =>
    pages.some(({ key }) => key === shown),
  )
  const at = list?.findIndex(({ key }) => key === shown) ?? -1
  const page = list?.[at]
  const paper = scan.papers.findIndex(({ pages }) => pages === list) + 1
  return (
    <Modal
      opened={page !== undefined}
      onClose={() => show(null)}
      size="xl"
      title={page ? `Page ${page.page} of the scan${paper > 0 ? `, in paper ${paper}` : ', dropped'}` : ''}
    >
      {page && list && (
        <>
          <div className={classes.turning}>
            <SecondaryButton
              leftSection={<IconChevronLeft size={18} aria-hidden />}
              disabled={at === 0}
              onClick={() => show(list[at - 1]?.key ?? null)}
            >
              Previous page
            </SecondaryButton>
            <SecondaryButton
              rightSection={<IconChevronRight size={18} aria-hidden />}
              disabled={at === list.length - 1}
              onClick={() => show(list[at + 1]?.key ?? null)}
            >
              Next page
            </SecondaryButton>
          </div>
          <Doubts page={page} />
          <Picture scan={scan} page={page} />
        </>
      )}
    </Modal>
  )
}

function Picture({ scan, page }: Pick<Props, 'scan' | 'page'>) {
  const input = {
    params: { assignmentId: scan.assignment_id, scanId: scan.id, page: page.page },
    query: { size: 'large' as const, turn: page.turn },
  }
  const { url, error, retry } = usePicture(getClassScanPage, input)
  if (error) return <LoadError error={asApiError(error)} retry={retry} title="This page cannot be shown" />
  return (
    <div className={classes.large}>
      {url ? <img src={url} alt={`Page ${page.page} of the scan`} /> : <Loader aria-label="Loading the page" />}
    </div>
  )
}
