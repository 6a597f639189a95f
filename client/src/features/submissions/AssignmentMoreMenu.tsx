import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { Button, Menu } from '@mantine/core'
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
import { useFileExport } from '../../components/files/useFileExport.ts'
import { downloadFile } from '../../lib/api/api-hooks.ts'
import { accuracyPath } from '../accuracy/accuracy-path.ts'
import { classScansPath } from '../class-scans/class-scan-path.ts'
import type { GradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { paperPhotosPath } from '../photos/photos-path.ts'
import { PrintModal } from '../printing/PrintModal.tsx'
import { scoreRulesPath } from '../score-rules/score-rules-path.ts'
import { similarityPath } from '../similarity/similarity-path.ts'
import classes from './AssignmentMoreMenu.module.css'

interface Props {
  assignmentId: number
  /** Without papers there is nothing to export. */
  empty: boolean
  /** Whether there are graded papers. */
  graded: boolean
  gradedPapers: GradedPapersZip
  /** On a phone, where one row of buttons has to do. */
  upload: (() => void) | null
}

/** What a teacher needs of an assignment now and then: its rubric, settings and records. */
export function AssignmentMoreMenu({ assignmentId, empty, graded, gradedPapers, upload }: Props) {
  const params = { assignmentId }
  const grades = useFileExport(
    () => downloadFile(exportGrades, { params }, `assignment_${assignmentId}_grades.csv`),
    'Failed to export grades. Please try again.',
  )
  const record = useFileExport(
    () => downloadFile(exportGradeHistory, { params }, `assignment_${assignmentId}_history.jsonl`),
    'The record could not be exported. Please try again.',
  )
  const [printing, setPrinting] = useState(false)
  const icon = { size: 18, 'aria-hidden': true } as const
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            aria-label="More for this assignment"
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            More
          </Button>
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
          <Menu.Item component={Link} to={paperPhotosPath(assignmentId)} leftSection={<IconCamera {...icon} />}>
            Upload photos of a paper
          </Menu.Item>
          <Menu.Item component={Link} to={classScansPath(assignmentId)} leftSection={<IconScissors {...icon} />}>
            Upload a class scan
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/assignments/${assignmentId}/rubric`}
            leftSection={<IconListCheck {...icon} />}
          >
            Rubric
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/assignments/${assignmentId}/settings`}
            leftSection={<IconSettings {...icon} />}
          >
            Settings
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={scoreRulesPath(assignmentId)}
            leftSection={<IconAdjustmentsHorizontal {...icon} />}
          >
            Adjust scores
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={accuracyPath(assignmentId)}
            disabled={!graded}
            leftSection={<IconTargetArrow {...icon} />}
          >
            Check accuracy
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={similarityPath(assignmentId)}
            disabled={!graded}
            leftSection={<IconCopy {...icon} />}
          >
            Similar answers
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconDownload {...icon} />}
            disabled={empty || grades.busy}
            onClick={() => void grades.start()}
          >
            Export CSV
          </Menu.Item>
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
    </>
  )
}
