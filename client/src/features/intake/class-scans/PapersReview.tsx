import {
  type ClassScan,
  type ClassScanEdit,
  type ClassScanPaper,
  confirmClassScan,
  editClassScan,
  resumeClassScan,
  type Split,
  undoClassScanEdit,
} from '@assay/shared/class-scans.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import { Button, Checkbox, Select } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import classes from './class-scans.module.css'
import { LargePage, PageCard } from './PageCard.tsx'
import { type DropPlace, PageDragging, usePagesDrop } from './PageDragging.tsx'
import { SplitAgain } from './SplitChoice.tsx'

interface Props {
  scan: ClassScan
  changed: (scan: ClassScan) => void
  reload: () => Promise<boolean>
}

const wayOf = ({ by, pages_per_paper }: Split) =>
  ({
    blank: 'by printed codes or the blank’s pages',
    separators: 'at separator sheets',
    page_count: pages_per_paper === 1 ? 'at every page' : `every ${pages_per_paper} pages`,
    empty_pages: 'at empty sheets',
  })[by]

/** Those that need a look come first; each change is stored at once. */
export function PapersReview({ scan, changed, reload }: Props) {
  const params = { assignmentId: scan.assignment_id, scanId: scan.id }
  const editing = useSend(editClassScan)
  const undoing = useSend(undoClassScanEdit)
  const confirming = useSend(confirmClassScan)
  const [failure, setFailure] = useState<string | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const announce = useAnnounce()
  const { revision, papers } = scan
  const reading = useSend(resumeClassScan)
  const busy = editing.sending || undoing.sending || reading.sending

  async function attempt(otherwise: string, call: () => Promise<unknown>) {
    setFailure(null)
    try {
      await call()
    } catch (error) {
      setFailure(messageOf(error, otherwise))
      void reload()
    }
  }
  const store = (call: () => Promise<ClassScan>, words: (after: ClassScan) => string) =>
    attempt('The change was not stored. Please try again.', async () => {
      const after = await call()
      changed(after)
      announce(words(after))
    })
  const readNames = () =>
    attempt('The names were not read. Please try again.', async () => {
      await reading.send({ params })
      await reload()
    })
  const edit = (change: ClassScanEdit) =>
    store(
      () => editing.send({ params, body: { revision, edit: change } }),
      (after) => announceEdit(scan, change, after),
    )
  const moveTo = async (page: string, place: DropPlace) => {
    if (isSamePlace(scan, page, place)) return
    const { paper, before } = place
    await edit(paper === null ? { kind: 'drop', pages: [page] } : { kind: 'move', pages: [page], paper, before })
  }

  const numbered = papers.map((paper, i) => ({ paper, number: i + 1 }))
  const doubtful = numbered.filter(({ paper }) => isDoubtful(paper))
  const apart = scan.dropped.filter(({ doubts }) => doubts.length > 0).length
  const plain = numbered.filter(({ paper }) => !isDoubtful(paper))
  const common = { scan, busy, edit: (one: ClassScanEdit) => void edit(one), show: setShown }
  const row = (one: (typeof numbered)[number]) => <PaperRow key={one.paper.key} {...common} {...one} />
  return (
    <PageDragging move={(page, place) => void moveTo(page, place)}>
      <div className={classes.bar}>
        <span role="status">
          {plural(papers.length, 'paper')} from {plural(scan.pages, 'page')}, split {wayOf(scan.split)}.{' '}
          {doubtful.length > 0 ? `${plural(doubtful.length, 'paper')} to look at first.` : 'None is in doubt.'}
          {apart > 0 && ` ${plural(apart, 'page was', 'pages were')} set apart: see the dropped pages.`}
        </span>
        <div className="button-row">
          <SecondaryButton
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            disabled={!scan.can_undo || busy}
            onClick={() =>
              void store(
                () => undoing.send({ params, body: { revision } }),
                () => 'Undone.',
              )
            }
          >
            Undo
          </SecondaryButton>
          <SplitAgain
            scan={scan}
            busy={busy}
            reload={reload}
            changed={(after) => {
              changed(after)
              announce(`Split again into ${plural(after.papers.length, 'paper')}.`)
            }}
          />
          {scan.names_unread > 0 && (
            <SecondaryButton disabled={busy} onClick={() => void readNames()}>
              Read {plural(scan.names_unread, 'name')}
            </SecondaryButton>
          )}
          <AskFirst
            button={(ask) => (
              <Button disabled={papers.length === 0 || busy} onClick={ask}>
                Confirm papers
              </Button>
            )}
            title={`Add ${plural(papers.length, 'paper')} to the submissions?`}
            confirmLabel="Confirm papers"
            onConfirm={async () => {
              await confirming.send({ params, body: { revision } })
              await reload()
            }}
          >
            {doubtful.length > 0 && `${plural(doubtful.length, 'paper is', 'papers are')} still in doubt. `}
            Each paper becomes a submission, and the scan’s own pages are deleted. Nothing is graded until you process
            the submissions.
          </AskFirst>
        </div>
      </div>
      {(failure ?? scan.failure) && <Notice tone="bad">{failure ?? scan.failure}</Notice>}
      {doubtful.length > 0 && (
        <section aria-label="Papers to look at">
          <h2 className={classes.heading}>To look at</h2>
          {doubtful.map(row)}
        </section>
      )}
      {plain.length > 0 && (
        <section aria-label="Papers without doubts">
          <h2 className={classes.heading}>Nothing in doubt</h2>
          {plain.map(row)}
        </section>
      )}
      <DroppedPages {...common} />
      <LargePage scan={scan} shown={shown} show={setShown} />
    </PageDragging>
  )
}

function DroppedPages(props: Omit<PaperRowProps, 'paper' | 'number'>) {
  const { scan, busy } = props
  const { ref, isTarget } = usePagesDrop(null, busy)
  if (scan.dropped.length === 0) return null
  return (
    <section aria-label="Dropped pages">
      <h2 className={classes.heading}>Dropped pages</h2>
      <p className={classes.dropped}>They go into no paper. Move one back where it belongs.</p>
      <ol ref={ref} className={classes.pages} data-target={isTarget || undefined} aria-label="Dropped pages">
        {scan.dropped.map((page) => (
          <PageCard key={page.key} {...props} page={page} place={null} />
        ))}
      </ol>
    </section>
  )
}

const isDoubtful = ({ pages, notes, student_doubt, student_id, student_by, checked }: ClassScanPaper): boolean =>
  !checked &&
  (pages.some(({ doubts }) => doubts.length > 0) ||
    notes.length > 0 ||
    student_doubt !== null ||
    (student_id === null && student_by !== 'teacher'))

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

/** For screen readers, once stored; papers have the numbers they are shown with then. */
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

interface PaperRowProps {
  scan: ClassScan
  paper: ClassScanPaper
  number: number
  busy: boolean
  edit: (edit: ClassScanEdit) => void
  show: (page: string) => void
}

function PaperRow({ paper, number, ...common }: PaperRowProps) {
  const { scan, busy, edit } = common
  const { ref, isTarget } = usePagesDrop(paper.key, busy)
  const given = new Map(
    scan.papers.flatMap((one, i) => (one.student_id === null || one === paper ? [] : [[one.student_id, i + 1]])),
  )
  const students = scan.students.map(({ id, name, username, has_paper }) => {
    const other = given.get(id)
    const note = other !== undefined ? ` · paper ${other}` : has_paper ? ' · has a paper' : ''
    return { value: String(id), label: `${name} (${username})${note}` }
  })
  const reasons = [...paper.notes, ...(paper.student_doubt ? [paper.student_doubt] : [])]
  return (
    <article className={classes.paper} aria-label={`Paper ${number}`}>
      <div className={classes.paperHead}>
        <h3 className={classes.paperTitle}>Paper {number}</h3>
        <Select
          aria-label={`Student of paper ${number}`}
          placeholder="Choose the student"
          data={students}
          value={paper.student_id === null ? null : String(paper.student_id)}
          onChange={(value) =>
            edit({ kind: 'student', paper: paper.key, student_id: value === null ? null : Number(value) })
          }
          searchable
          clearable
          disabled={busy}
          className={classes.student}
        />
        {paper.name_read && <span className="dim">Read: {paper.name_read}</span>}
        <Checkbox
          label="Looks right"
          checked={paper.checked}
          disabled={busy}
          onChange={(event) => edit({ kind: 'check', paper: paper.key, checked: event.currentTarget.checked })}
        />
      </div>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <ol
        ref={ref}
        className={classes.pages}
        data-target={isTarget || undefined}
        aria-label={`Pages of paper ${number}`}
      >
        {paper.pages.map((page, i) => (
          <PageCard key={page.key} {...common} page={page} place={{ paper, index: i }} />
        ))}
      </ol>
    </article>
  )
}
