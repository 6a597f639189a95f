import type { Assignment } from '@assay/shared/assignments.ts'
import type { CurrentRubric, RubricGeneration } from '@assay/shared/rubric-endpoints.ts'
import { checkRubric, stopRubricGeneration } from '@assay/shared/rubric-endpoints.ts'
import { useRef } from 'react'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../lib/format.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'
import type { GradingProcess } from '../runs/ProcessDialog.tsx'
import classes from './editor/RubricEditor.module.css'
import { OutdatedNotice } from './OutdatedNotice.tsx'
import type { RubricDraft } from './useRubricDraft.ts'

export function RubricNotices(props: {
  assignment: Assignment
  current: CurrentRubric
  draft: RubricDraft
  process: GradingProcess
  put: (current: CurrentRubric) => void
}) {
  const { assignment, current, draft, process } = props
  const status = useRef<HTMLDivElement>(null)
  const { generation } = current
  return (
    <div className={classes.stack}>
      <div role="status" ref={status} tabIndex={-1}>
        {generation?.state === 'running' && (
          <RubricCreationNotice
            assignmentId={assignment.id}
            current={current}
            generation={generation}
            stopped={(next) => {
              props.put(next)
              // The pressed button goes away and must not take the focus along.
              status.current?.focus()
            }}
          />
        )}
        {current.held && (
          <Notice>
            Papers are being graded with this rubric. You can keep editing and save when grading has finished.
          </Notice>
        )}
      </div>
      {generation?.state === 'failed' && (
        <Notice tone="warn" title="Could not create the rubric">
          {generation.message}
        </Notice>
      )}
      {draft.hasConflict && (
        <Notice tone="warn" title="Someone saved another version">
          Your changes are based on version {draft.version}, but the current version is {current.version}. Export or
          copy what you want to keep, then discard your changes to see it.
        </Notice>
      )}
      {!current.held && <OutdatedNotice assignmentId={assignment.id} outdated={current.outdated} process={process} />}
      {current.checked && <CheckedNotice assignmentId={assignment.id} current={current} put={props.put} />}
    </div>
  )
}

interface CreationProps extends Omit<Props, 'put'> {
  generation: RubricGeneration
  stopped: (current: CurrentRubric) => void
}

function RubricCreationNotice({ assignmentId, current: { version }, generation, stopped }: CreationProps) {
  const stop = useSend(stopRubricGeneration)
  const end = () =>
    tryWithToast('Rubric creation could not be stopped.', async () => {
      const now = await stop.send({ params: { assignmentId } })
      stopped(now)
      if (now.version !== version) toast.info('The new rubric was finished before it could be stopped.')
      else if (!now.generation) toast.info(now.rubric ? 'Stopped. The rubric below is still current.' : 'Stopped.')
    })
  return (
    <Notice
      busy
      actions={
        <SecondaryButton loading={stop.sending} onClick={() => void end()}>
          Stop
        </SecondaryButton>
      }
    >
      {generation.message}…
    </Notice>
  )
}

interface Props {
  assignmentId: number
  current: CurrentRubric
  put: (current: CurrentRubric) => void
}

function CheckedNotice({ assignmentId, current: { checked, version }, put }: Props) {
  const check = useSend(checkRubric)
  const refresh = useRevalidate()
  if (!checked) return null
  const undo = () =>
    tryWithToast('The confirmation could not be undone.', async () => {
      put(await check.send({ params: { assignmentId }, body: { version, checked: false } }))
      void refresh(`/assignments/${assignmentId}`)
    })
  return (
    <Notice
      title="Rubric checked"
      actions={
        <SecondaryButton loading={check.sending} onClick={() => void undo()}>
          Undo Confirmation
        </SecondaryButton>
      }
    >
      Confirmed{checked.by_name && ` by ${checked.by_name}`}, {formatDateTime(checked.at)}.
    </Notice>
  )
}
