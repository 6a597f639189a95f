import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import type { UnmatchedPaper } from '@assay/shared/matches.ts'
import { getSubmissionPage } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton, SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { LoadError, Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { usePicture } from '../../../lib/api/usePicture.ts'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { useSeen } from '../../../lib/hooks/useSeen.ts'
import { submissionsPath } from '../../../paths.ts'
import { NamesHiddenNotice } from '../../assignments/anonymous-grading/NamesHiddenNotice.tsx'
import { type SelectableStudent, studentLabel } from '../../users/selectable-students.ts'
import classes from './MatchPage.module.css'
import { matchedByText, matchReasonLabels } from './match-reason-labels.ts'
import { StudentSelect } from './StudentSelect.tsx'
import { type MatchedPaper, PER_PAGE, soleSuggestion, useMatching } from './useMatching.ts'

export function MatchPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  return (
    <Page>
      <Loaded
        isWhole
        query={assignment}
        title="Error Loading Submissions"
        actions={<LinkButton to="/courses">Back to Courses</LinkButton>}
        skeleton={<RowSkeletons label="Loading papers" />}
      >
        {(data) => <Matches assignment={data} />}
      </Loaded>
    </Page>
  )
}

function Matches({ assignment }: { assignment: Assignment }) {
  const list = submissionsPath(assignment.id)
  return (
    <>
      <PageHeader
        title="Match papers to students"
        subtitle="Grades of unmatched papers are not shown to anyone. Students do not see this page."
        crumbs={[{ label: assignment.title, to: list }, { label: 'Match papers' }]}
      />
      {assignment.anonymous?.names_hidden ? (
        <NamesHiddenNotice assignment={assignment}>
          Names are hidden while this assignment is graded. To match papers to students, show names first.
        </NamesHiddenNotice>
      ) : (
        <MatchList key={assignment.id} assignment={assignment} list={list} />
      )}
    </>
  )
}

function MatchList({ assignment, list }: { assignment: Assignment; list: string }) {
  const [skip, setSkip] = useState(0)
  const matching = useMatching(assignment, skip)
  const { papers, settled } = matching
  const root = useRef<HTMLDivElement>(null)
  const [focusAt, setFocusAt] = useState<number | null>(null)
  const shown = papers.data ?? []
  const { busy } = matching
  useEffect(() => {
    // While something is sent, nothing here can have it.
    if (focusAt === null || busy) return
    const items = root.current?.querySelectorAll('li[data-paper]') ?? []
    const item = items[Math.min(focusAt, items.length - 1)]
    const target = item?.querySelector<HTMLElement>('button, input') ?? root.current?.querySelector('h2')
    target?.focus()
    setFocusAt(null)
  }, [focusAt, busy])

  if (!papers.data) {
    return papers.error ? (
      <LoadError error={papers.error} retry={papers.reload} title="Error Loading Submissions" />
    ) : (
      <RowSkeletons label="Loading papers" />
    )
  }

  const total = papers.total ?? shown.length
  const clear = shown.flatMap((paper) => soleSuggestion(paper) ?? [])
  const only = clear.length === 1 && clear[0]
  const settle = async (place: number, settling: Promise<boolean>) => {
    if (await settling) setFocusAt(place)
  }

  return (
    <div ref={root}>
      <div className={classes.head}>
        <h2 className={classes.title} tabIndex={-1} aria-live="polite">
          {total === 0 ? 'Every paper has a student' : `${plural(total, 'paper')} without a student`}
        </h2>
        <div className="button-row">
          {clear.length > 0 && (
            <Button loading={matching.busy} onClick={() => void settle(0, matching.acceptAll())}>
              {only ? `Match to ${studentLabel(only)}` : `Accept all ${clear.length} suggestions`}
            </Button>
          )}
          <SecondaryButton disabled={matching.busy || total === 0} onClick={() => void matching.matchAgain()}>
            Look for matches again
          </SecondaryButton>
        </div>
      </div>
      {total === 0 ? (
        <EmptyState
          title="All papers are matched"
          titleOrder={3}
          action={<PrimaryLinkButton to={list}>Back to submissions</PrimaryLinkButton>}
        >
          Every paper belongs to a student in the course.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label="Papers without a student">
          {shown.map((paper, place) => (
            <UnmatchedPaperItem
              key={paper.submission.id}
              paper={paper}
              list={list}
              roster={matching.roster}
              busy={matching.busy}
              match={(student) => void settle(place, matching.settle(paper, student))}
            />
          ))}
        </ul>
      )}
      {(skip > 0 || skip + shown.length < total) && (
        <div className={classes.pages}>
          <SecondaryButton disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - PER_PAGE))}>
            Earlier papers
          </SecondaryButton>
          <SecondaryButton disabled={skip + shown.length >= total} onClick={() => setSkip(skip + shown.length)}>
            Later papers
          </SecondaryButton>
        </div>
      )}
      <MatchedPapers matched={settled} list={list} busy={matching.busy} undo={(one) => void matching.takeBack(one)} />
    </div>
  )
}

interface Props {
  paper: UnmatchedPaper
  list: string
  roster: readonly SelectableStudent[]
  busy: boolean
  match: (student: SelectableStudent) => void
}

function UnmatchedPaperItem({ paper, list, roster, busy, match }: Props) {
  const { submission, name_on_paper, suggestions } = paper
  const { id, file_name, created_at } = submission
  return (
    <li data-paper={id}>
      <FirstPagePreview assignmentId={submission.assignment_id} submissionId={id} fileName={file_name} />
      <div className={classes.words}>
        <Link to={`${list}/${id}`} className={classes.file}>
          {file_name}
        </Link>
        <span className={classes.facts}>
          #{id} · {formatDateTime(created_at)}
          {name_on_paper && ` · Name on paper: ${name_on_paper}`}
        </span>
        {suggestions.length > 0 && (
          <fieldset className={classes.suggestions} aria-label={`Suggestions for ${file_name}`}>
            {suggestions.map(({ student, reason, other_paper_id }) => (
              <div key={student.id} className={classes.suggestion}>
                <SecondaryButton disabled={busy} onClick={() => match(student)}>
                  {studentLabel(student)}
                </SecondaryButton>
                <span className={classes.facts}>
                  {matchReasonLabels[reason]}
                  {other_paper_id !== null && `; already has paper #${other_paper_id}`}
                </span>
              </div>
            ))}
          </fieldset>
        )}
        <StudentSelect label={`Student of ${file_name}`} roster={roster} disabled={busy} choose={match} />
      </div>
    </li>
  )
}

interface FirstPagePreviewProps {
  assignmentId: number
  submissionId: number
  fileName: string
}

const WIDTH = 800

/** The head of the page, where names stand; requested once in sight. */
function FirstPagePreview({ assignmentId, submissionId, fileName }: FirstPagePreviewProps) {
  const { ref, seen } = useSeen<HTMLDivElement>()
  const input = { params: { assignmentId, submissionId, page: 1 }, query: { width: WIDTH } }
  const { url } = usePicture(getSubmissionPage, input, { seen })
  return (
    <div ref={ref} className={classes.page}>
      {url ? (
        <img src={url} alt={`First page of ${fileName}`} />
      ) : (
        <IconFileTypePdf size={28} stroke={1.4} aria-hidden />
      )}
    </div>
  )
}

interface MatchedPapersProps {
  matched: readonly MatchedPaper[]
  list: string
  busy: boolean
  undo: (one: MatchedPaper) => void
}

function MatchedPapers({ matched, list, busy, undo }: MatchedPapersProps) {
  return (
    <section aria-label="Just matched" className={classes.settled}>
      {matched.length > 0 && <h2 className={classes.title}>Just matched</h2>}
      <ul aria-live="polite">
        {matched.map((one) => {
          const { submission } = one
          return (
            <li key={submission.id}>
              <StatusBadge status="graded">{studentLabel(one.student)}</StatusBadge>
              <Link to={`${list}/${submission.id}`}>{submission.file_name}</Link>
              {submission.matched_by && submission.matched_by !== 'teacher' && (
                <span className={classes.facts}>{matchedByText(submission.matched_by)}</span>
              )}
              {one.others.length > 0 && (
                <span className={classes.facts}>also has {one.others.map((id) => `#${id}`).join(', ')}</span>
              )}
              <SubtleButton disabled={busy} aria-label={`Undo for ${submission.file_name}`} onClick={() => undo(one)}>
                Undo
              </SubtleButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
