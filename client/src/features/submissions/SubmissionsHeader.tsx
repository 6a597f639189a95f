import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades, type GradebookFormat, gradebookFormats } from '@assay/shared/grades.ts'
import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button, Checkbox, Menu } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconCamera,
  IconChevronDown,
  IconCopy,
  IconDownload,
  IconFileZip,
  IconHistory,
  IconListCheck,
  IconListDetails,
  IconPrinter,
  IconRefresh,
  IconRotateClockwise,
  IconScissors,
  IconSettings,
  IconTargetArrow,
  IconUpload,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import type { Crumb } from '../../components/layout/Breadcrumbs.tsx'
import { PageHeader } from '../../components/layout/Page.tsx'
import { downloadFile, type QueryResult } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import {
  accuracyPath,
  assignmentSettingsPath,
  checkRubricPath,
  classScansPath,
  coursePath,
  groupsPath,
  photosPath,
  questionsPath,
  rubricPath,
  scoreRulesPath,
  similarityPath,
} from '../../paths.ts'
import { AssignmentBadges } from '../assignments/AssignmentBadges.tsx'
import { nextStep, StepsBar, stepsOf } from '../assignments/StepsBar.tsx'
import type { GradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { gradebookNames } from '../grades/grade-labels.ts'
import { PrintModal } from '../intake/printing/PrintModal.tsx'
import type { GradingProcess } from '../runs/ProcessDialog.tsx'
import { PublishButtons } from './publishing/PublishButtons.tsx'
import classes from './SubmissionsHeader.module.css'

interface Props {
  assignmentId: number
  assignment: QueryResult<Assignment>
  counts: SubmissionCounts
  lmsScores: LmsScores | undefined
  running: boolean
  process: GradingProcess
  uploading: boolean
  toggleUpload: () => void
  gradedPapers: GradedPapersZip
  reload: () => Promise<unknown>
  refresh: () => void
}

export function SubmissionsHeader(props: Props) {
  const { assignmentId, counts } = props
  const assignment = props.assignment.data
  const empty = counts.all === 0
  const next = assignment && !props.running ? nextStep({ ...assignment, counts: progressOf(counts) }) : null
  const fresh = counts.pending + counts.failed
  const title = assignment?.title ?? `Assignment ${assignmentId}`
  const canDecide = next === 'Decide' || next === 'Approve'
  return (
    <>
      <PageHeader
        title={title}
        tabTitle={`Submissions, ${title}`}
        crumbs={crumbsFor(assignment, title)}
        badge={assignment && <AssignmentBadges assignment={assignment} />}
        subtitle="Manage submissions and grades"
        actions={
          <>
            {assignment && (
              <PublishButtons
                assignment={assignment}
                counts={counts}
                lmsScores={props.lmsScores}
                isNext={next === 'Publish'}
                changed={(next) => {
                  props.assignment.patch(() => next)
                  void props.reload()
                }}
              />
            )}
            {(empty || fresh > 0) && (
              <Button
                variant={next === 'Read' ? 'filled' : 'default'}
                disabled={empty || props.running}
                loading={props.process.starting}
                onClick={() => void props.process.start()}
              >
                Process & Grade
              </Button>
            )}
            {next === 'Rubric' && (
              <PrimaryLinkButton to={checkRubricPath(assignmentId)}>Check the Rubric</PrimaryLinkButton>
            )}
            {canDecide && <PrimaryLinkButton to={questionsPath(assignmentId)}>Grade by question</PrimaryLinkButton>}
            {props.uploading && (
              <SecondaryButton aria-expanded onClick={props.toggleUpload}>
                Cancel Upload
              </SecondaryButton>
            )}
            <AssignmentMoreMenu
              assignmentId={assignmentId}
              counts={counts}
              process={props.process}
              running={props.running}
              canDecide={canDecide}
              inGroups={assignment?.groups !== undefined}
              gradedPapers={props.gradedPapers}
              refresh={props.refresh}
              upload={props.uploading ? null : props.toggleUpload}
            />
          </>
        }
      />
      {assignment && <StepsBar steps={stepsOf({ ...assignment, counts: progressOf(counts) })} next={next} />}
    </>
  )
}

const progressOf = ({ all, failed, held, ...counts }: SubmissionCounts) => ({
  ...counts,
  submissions: all,
  failed: failed + held,
})

function crumbsFor(assignment: Assignment | undefined, title: string): Crumb[] {
  if (assignment?.course_id) {
    return [
      { label: 'My Courses', to: '/courses' },
      { label: assignment.course_name ?? 'Course', to: coursePath(assignment.course_id) },
      { label: title },
    ]
  }
  return [{ label: 'Dashboard', to: '/dashboard' }, { label: title }]
}

const regrades = [
  ['Grade the rest by my decisions…', { unreviewed: true }],
  ['Regrade everything…', { force: true }],
] as const

interface AssignmentMoreMenuProps {
  assignmentId: number
  counts: SubmissionCounts
  process: GradingProcess
  running: boolean
  canDecide: boolean
  inGroups: boolean
  gradedPapers: GradedPapersZip
  refresh: () => void
  upload: (() => void) | null
}

function AssignmentMoreMenu(props: AssignmentMoreMenuProps) {
  const { assignmentId, counts, process, gradedPapers, upload } = props
  const [empty, graded] = [counts.all === 0, counts.graded > 0]
  const params = { assignmentId }
  const grades = useFileExport(
    (format?: GradebookFormat, suggestions: 'yes' | 'no' = 'no') =>
      downloadFile(
        exportGrades,
        { params, query: format ? { format, suggestions } : {} },
        `assignment_${assignmentId}_grades${format ? `_${format}` : ''}.csv`,
      ),
    'Failed to export grades. Please try again.',
  )
  const record = useFileExport(
    () => downloadFile(exportGradeHistory, { params }, `assignment_${assignmentId}_history.jsonl`),
    'The record could not be exported. Please try again.',
  )
  const [printing, setPrinting] = useState(false)
  const [asking, setAsking] = useState<GradebookFormat | null>(null)
  const leftOut = counts.unreleased - counts.unreleased_reviewed
  const icon = { size: 18, 'aria-hidden': true } as const
  const pages = [
    { to: photosPath(assignmentId), Icon: IconCamera, label: 'Upload photos of a paper' },
    { to: classScansPath(assignmentId), Icon: IconScissors, label: 'Upload a class scan' },
    { to: rubricPath(assignmentId), Icon: IconListCheck, label: 'Rubric' },
    { to: assignmentSettingsPath(assignmentId), Icon: IconSettings, label: 'Settings' },
    ...(props.inGroups ? [{ to: groupsPath(assignmentId), Icon: IconUsersGroup, label: 'Groups' }] : []),
    { to: scoreRulesPath(assignmentId), Icon: IconAdjustmentsHorizontal, label: 'Adjust scores' },
    { to: accuracyPath(assignmentId), Icon: IconTargetArrow, label: 'Check accuracy', disabled: !graded },
    { to: similarityPath(assignmentId), Icon: IconCopy, label: 'Similar answers', disabled: !graded },
  ]
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <SecondaryButton
            aria-label="More for this assignment"
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            More
          </SecondaryButton>
        </Menu.Target>
        <Menu.Dropdown>
          {upload && (
            <Menu.Item leftSection={<IconUpload {...icon} />} onClick={upload}>
              Upload Files
            </Menu.Item>
          )}
          {!empty && (
            <Menu.Item leftSection={<IconRefresh {...icon} />} onClick={props.refresh}>
              Refresh
            </Menu.Item>
          )}
          {graded && !props.canDecide && (
            <Menu.Item component={Link} to={questionsPath(assignmentId)} leftSection={<IconListDetails {...icon} />}>
              Grade by question
            </Menu.Item>
          )}
          {graded &&
            regrades.map(([label, which]) => (
              <Menu.Item
                key={label}
                leftSection={<IconRotateClockwise {...icon} />}
                disabled={props.running || process.starting}
                onClick={() => void process.start(which)}
              >
                {label}
              </Menu.Item>
            ))}
          <Menu.Item leftSection={<IconPrinter {...icon} />} onClick={() => setPrinting(true)}>
            Print for the class
          </Menu.Item>
          {pages.map(({ to, Icon, label, disabled }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon {...icon} />} disabled={disabled}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            className={counts.unapproved > 0 ? classes.record : undefined}
            leftSection={<IconDownload {...icon} />}
            disabled={empty || grades.busy}
            onClick={() => void grades.start()}
          >
            Export CSV
            {counts.unapproved > 0 && (
              <span className={classes.what}>
                {unapprovedWords(counts.unapproved, counts)} The column “approved” says which.
              </span>
            )}
          </Menu.Item>
          {gradebookFormats.map((format) => (
            <Menu.Item
              key={format}
              leftSection={<IconDownload {...icon} />}
              disabled={empty || grades.busy}
              onClick={() => (leftOut > 0 ? setAsking(format) : void grades.start(format))}
            >
              Export for {gradebookNames[format]}
            </Menu.Item>
          ))}
          <Menu.Item
            className={classes.record}
            leftSection={<IconFileZip {...icon} />}
            disabled={!graded || gradedPapers.progress !== null}
            onClick={() => void gradedPapers.start()}
          >
            Graded papers (ZIP)
            <span className={classes.what}>Each paper as PDF, with points and comments on its pages.</span>
          </Menu.Item>
          <Menu.Item
            className={classes.record}
            leftSection={<IconHistory {...icon} />}
            disabled={empty || record.busy}
            onClick={() => void record.start()}
          >
            Grading record
            <span className={classes.what}>
              The history of each grade: suggestions, changes, model answers and costs, as JSON lines.
            </span>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PrintModal assignmentId={assignmentId} opened={printing} close={() => setPrinting(false)} />
      {asking && (
        <GradebookModal
          name={gradebookNames[asking]}
          leftOut={leftOut}
          counts={counts}
          close={() => setAsking(null)}
          save={(suggestions) => grades.start(asking, suggestions)}
        />
      )}
    </>
  )
}

const unapprovedWords = (count: number, { graded }: SubmissionCounts) =>
  `${count} of ${plural(graded, 'grade')} ${count === 1 ? 'is a suggestion' : 'are suggestions'} that nobody has approved.`

interface GradebookModalProps {
  name: string
  leftOut: number
  counts: SubmissionCounts
  close: () => void
  save: (suggestions: 'yes' | 'no') => Promise<void>
}

/** A gradebook shows a suggestion like any other grade, so the teacher decides about them. */
function GradebookModal({ name, leftOut, counts, close, save }: GradebookModalProps) {
  const [all, setAll] = useState(false)
  return (
    <ConfirmModal
      opened
      close={close}
      title={`Export for ${name}`}
      confirmLabel="Export"
      disabled={!all && leftOut === counts.graded}
      onConfirm={() => save(all ? 'yes' : 'no')}
    >
      <p>{unapprovedWords(leftOut, counts)} In the gradebook, suggestions look like your own grades.</p>
      <Checkbox
        label={`Export ${leftOut === 1 ? 'it' : 'them'} too`}
        checked={all}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
    </ConfirmModal>
  )
}
