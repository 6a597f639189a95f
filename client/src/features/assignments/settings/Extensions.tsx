import { type Assignment, type Extension, listExtensions, removeExtension } from '@assay/shared/assignments.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { previewDates, type ScoreRulesPreview } from '@assay/shared/score-rules.ts'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Loaded, Panel, PanelList, RowSkeletons } from '../../../components/layout/Page.tsx'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { PreviewFigures } from '../../grades/score-rules/PreviewFigures.tsx'
import { ExtensionForm } from './ExtensionForm.tsx'
import classes from './Extensions.module.css'

interface Props {
  assignment: Assignment
  setTyped: (typed: boolean) => void
}

interface Ending {
  extension: Extension
  preview: ScoreRulesPreview | null
}

/** Hidden with the names: whoever knows who has more time could tell whose paper came late. */
export function Extensions(props: Props) {
  if (!props.assignment.anonymous?.names_hidden) return <ExtensionsEditor {...props} />
  return (
    <Panel title="Extensions">
      <p className="dim">Extensions name students. To see or give one, show names first.</p>
    </Panel>
  )
}

function ExtensionsEditor({ assignment, setTyped }: Props) {
  const extensions = useGet(listExtensions, { assignmentId: assignment.id })
  const remove = useSend(removeExtension)
  const [editing, setEditing] = useState<Extension | 'new' | null>(null)
  const [ending, setEnding] = useState<Ending | null>(null)
  const ask = useSend(previewDates)
  const refresh = useRevalidate()
  const possible = assignment.course_id !== null && assignment.due_at !== null

  async function askToEnd(extension: Extension) {
    const body = { extension: { student_id: extension.student.id, dates: null } }
    const isReleased = assignment.status === 'published'
    await tryWithToast('The preview could not be loaded. Please try again.', async () => {
      const preview = isReleased ? await ask.send({ params: { assignmentId: assignment.id }, body }) : null
      setEnding({ extension, preview: preview && preview.released_changed > 0 ? preview : null })
    })
  }

  async function end({ student }: Extension) {
    await remove.send({ params: { assignmentId: assignment.id, studentId: student.id } })
    extensions.patch((list) => list.filter((one) => one.student.id !== student.id))
    toast.success('Extension removed.')
    void refresh(`/assignments/${assignment.id}/score-rules`)
  }

  function close() {
    setEditing(null)
    setTyped(false)
  }

  return (
    <Panel
      title="Extensions"
      actions={
        possible &&
        editing === null && <SecondaryButton onClick={() => setEditing('new')}>Give Extension</SecondaryButton>
      }
    >
      {editing !== null && assignment.course_id !== null && (
        <ExtensionForm
          key={editing === 'new' ? 'new' : editing.student.id}
          assignment={assignment}
          courseId={assignment.course_id}
          extension={editing === 'new' ? null : editing}
          studentIdsWithExtension={(extensions.data ?? []).map(({ student }) => student.id)}
          setTyped={setTyped}
          close={close}
          onSaved={(next) => {
            extensions.patch((list) => [...list.filter(({ student }) => student.id !== next.student.id), next])
            close()
            void refresh(`/assignments/${assignment.id}/score-rules`)
          }}
        />
      )}
      <List
        extensions={extensions}
        possible={possible}
        edit={setEditing}
        end={(extension) => void askToEnd(extension)}
      />
      <ConfirmModal
        opened={ending !== null}
        close={() => setEnding(null)}
        title={`Remove the extension of ${ending ? nameOf(ending.extension.student) : ''}?`}
        confirmLabel={ending?.preview ? 'Remove and Change Scores' : 'Remove Extension'}
        dangerous
        onConfirm={() => (ending ? end(ending.extension) : undefined)}
      >
        <p>The assignment’s dates apply to this student again. Papers handed in after the due date become late.</p>
        {ending?.preview && <PreviewFigures preview={ending.preview} assignment={assignment} />}
      </ConfirmModal>
    </Panel>
  )
}

interface ListProps {
  extensions: QueryResult<Extension[]>
  possible: boolean
  edit: (extension: Extension) => void
  end: (extension: Extension) => void
}

function List({ extensions, possible, edit, end }: ListProps) {
  return (
    <Loaded query={extensions} skeleton={<RowSkeletons count={2} label="Loading extensions" />}>
      {(data) =>
        data.length === 0 ? (
          <p className="dim">
            {possible
              ? 'No extensions yet. An extension gives one student a later due date.'
              : 'To give a student an extension, first save a course and a due date above.'}
          </p>
        ) : (
          <PanelList label="Extensions">
            {data.map((extension) => (
              <li key={extension.student.id} className={classes.row}>
                <div className={classes.words}>
                  <span className={classes.name}>{nameOf(extension.student)}</span>
                  <span className="hint">
                    Due <time dateTime={extension.due_at}>{formatDateTime(extension.due_at)}</time>
                    {extension.closes_at && (
                      <>
                        {' '}
                        · Closes <time dateTime={extension.closes_at}>{formatDateTime(extension.closes_at)}</time>
                      </>
                    )}
                  </span>
                </div>
                <SecondaryButton
                  aria-label={`Edit the extension of ${nameOf(extension.student)}`}
                  disabled={!possible}
                  onClick={() => edit(extension)}
                >
                  Edit
                </SecondaryButton>
                <SubtleButton
                  color="gray"
                  aria-label={`Remove the extension of ${nameOf(extension.student)}`}
                  onClick={() => end(extension)}
                >
                  Remove
                </SubtleButton>
              </li>
            ))}
          </PanelList>
        )
      }
    </Loaded>
  )
}
