import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades, type GradebookFormat, gradebookFormats } from '@assay/shared/grades.ts'
import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button, Checkbox, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconAdjustmentsHorizontal,
  IconCamera,
  IconChevronDown,
  IconCopy,
  IconDownload,
  IconFileZip,
  IconHistory,
  IconListCheck,
  IconPrinter,
  IconScissors,
  IconSettings,
  IconTargetArrow,
  IconUpload,
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
import { accuracyPath } from '../accuracy/accuracy-path.ts'
import { AssignmentBadges } from '../assignments/AssignmentBadges.tsx'
import { classScansPath } from '../class-scans/class-scan-path.ts'
import type { GradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { paperPhotosPath } from '../photos/photos-path.ts'
import { PrintModal } from '../printing/PrintModal.tsx'
import { questionsPath } from '../questions/question-path.ts'
import { RubricCheckedLink } from '../rubrics/RubricCheckedLink.tsx'
import { scoreRulesPath } from '../score-rules/score-rules-path.ts'
import { similarityPath } from '../similarity/similarity-path.ts'
import classes from './AssignmentMoreMenu.module.css'
import processButtonClasses from './grading-run/ProcessButton.module.css'
import type { GradingProcess } from './grading-run/useGradingProcess.ts'
import { PublishButtons } from './publishing/PublishButtons.tsx'

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
}

export function SubmissionsHeader(props: Props) {
  const { assignmentId, counts } = props
  const assignment = props.assignment.data
  const empty = counts.all === 0
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  // Once there are suggestions, deciding on them is what comes next.
  const canGradeByQuestion = counts.graded > 0 && !props.running
  const uploadInMenu = onPhone && !props.uploading
  const title = assignment?.title ?? `Assignment ${assignmentId}`
  return (
    <PageHeader
      title={title}
      tabTitle={`Submissions, ${title}`}
      crumbs={crumbsFor(assignment, title)}
      badge={
        assignment && (
          <>
            <AssignmentBadges assignment={assignment} />
            {assignment.rubric_checked && <RubricCheckedLink assignmentId={assignmentId} />}
          </>
        )
      }
      subtitle="Manage submissions and grades"
      actions={
        <>
          {assignment && (
            <PublishButtons
              assignment={assignment}
              counts={counts}
              lmsScores={props.lmsScores}
              changed={(next) => {
                props.assignment.patch(() => next)
                void props.reload()
              }}
            />
          )}
          {canGradeByQuestion && (
            <PrimaryLinkButton to={questionsPath(assignmentId)}>Grade by question</PrimaryLinkButton>
          )}
          <ProcessButton
            counts={counts}
            process={props.process}
            disabled={empty || props.running}
            secondary={canGradeByQuestion}
          />
          {uploadInMenu || (
            <SecondaryButton
              leftSection={props.uploading ? undefined : <IconUpload size={18} aria-hidden />}
              aria-expanded={props.uploading}
              onClick={props.toggleUpload}
            >
              {props.uploading ? 'Cancel Upload' : 'Upload Files'}
            </SecondaryButton>
          )}
          <AssignmentMoreMenu
            assignmentId={assignmentId}
            counts={counts}
            gradedPapers={props.gradedPapers}
            upload={uploadInMenu ? props.toggleUpload : null}
          />
        </>
      }
    />
  )
}

function crumbsFor(assignment: Assignment | undefined, title: string): Crumb[] {
  if (assignment?.course_id) {
    return [
      { label: 'My Courses', to: '/courses' },
      { label: assignment.course_name ?? 'Course', to: `/courses/${assignment.course_id}` },
      { label: title },
    ]
  }
  return [{ label: 'Dashboard', to: '/dashboard' }, { label: title }]
}

interface AssignmentMoreMenuProps {
  assignmentId: number
  counts: SubmissionCounts
  gradedPapers: GradedPapersZip
  /** On a phone, where one row of buttons has to do. */
  upload: (() => void) | null
}

const gradebookNames = { canvas: 'Canvas', moodle: 'Moodle', blackboard: 'Blackboard' }

function AssignmentMoreMenu({ assignmentId, counts, gradedPapers, upload }: AssignmentMoreMenuProps) {
  const params = { assignmentId }
  // Without papers there is nothing to export.
  const empty = counts.all === 0
  const graded = counts.graded > 0
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
    { to: paperPhotosPath(assignmentId), Icon: IconCamera, label: 'Upload photos of a paper' },
    { to: classScansPath(assignmentId), Icon: IconScissors, label: 'Upload a class scan' },
    { to: `/assignments/${assignmentId}/rubric`, Icon: IconListCheck, label: 'Rubric' },
    { to: `/assignments/${assignmentId}/settings`, Icon: IconSettings, label: 'Settings' },
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

/** Grades what has no grade yet; everything again only when asked for. */
function ProcessButton({
  counts,
  process,
  disabled,
  secondary,
}: {
  counts: SubmissionCounts
  process: GradingProcess
  disabled: boolean
  secondary: boolean
}) {
  const variant = secondary ? 'default' : 'filled'
  const fresh = counts.pending + counts.failed
  return (
    <div className={processButtonClasses.pair}>
      <Button
        className={processButtonClasses.main}
        variant={variant}
        disabled={disabled}
        loading={process.starting}
        onClick={() => void process.start()}
      >
        Process & Grade
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            className={processButtonClasses.more}
            variant={variant}
            disabled={disabled || process.starting}
            aria-label="More ways to grade"
          >
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={fresh === 0} onClick={() => void process.start()}>
            {fresh === 0 ? 'Every paper has a grade' : `Grade ${plural(fresh, 'paper')} without a grade`}
          </Menu.Item>
          <Menu.Item disabled={counts.graded === 0} onClick={() => void process.start({ unreviewed: true })}>
            Regrade using my decisions…
          </Menu.Item>
          <Menu.Item disabled={counts.graded === 0} onClick={() => void process.start({ force: true })}>
            Regrade everything…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
