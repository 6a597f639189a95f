import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { Panel } from '../../../components/Panel.tsx'
import { SaveFileButton } from '../../../components/SaveFileButton.tsx'
import { saveFile } from '../../../lib/api.ts'
import classes from './GradingRecord.module.css'

/** Everything that made the grades, for whoever has to answer for them. */
export function GradingRecord({ assignmentId }: { assignmentId: number }) {
  return (
    <div className={classes.root}>
      <Panel title="Grading record">
        <p>
          For each paper: what the grader suggested and from what, every change a person made, and what was
          asked of a model, with its answers and what they cost. A line of JSON for each paper.
        </p>
        <SaveFileButton
          save={() =>
            saveFile(
              exportGradeHistory,
              { params: { assignmentId } },
              `assignment_${assignmentId}_history.jsonl`,
            )
          }
          failed="The record could not be exported. Please try again."
        >
          Export Record
        </SaveFileButton>
      </Panel>
    </div>
  )
}
