import {
  type CurrentRubric,
  getRubricVersion,
  listRubricVersions,
  type RubricVersion,
  restoreRubricVersion,
} from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { type QuestionRef, rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { Drawer } from '@mantine/core'
import { useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { LoadError, Loaded, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import rubricEditorClasses from '../editor/RubricEditor.module.css'
import { changedParts, questionsLabel } from '../rubric-draft.ts'
import classes from './VersionsDrawer.module.css'

interface Props {
  assignmentId: number
  opened: boolean
  close: () => void
  current: CurrentRubric
  unsaved: boolean
  restored: (current: CurrentRubric) => void
}

export function VersionsDrawer(props: Props) {
  const { opened, close } = props
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      title={<span className={classes.title}>Versions of the rubric</span>}
    >
      {opened && <Versions {...props} />}
    </Drawer>
  )
}

function Versions({ assignmentId, close, current, unsaved, restored }: Props) {
  const versions = useGet(listRubricVersions, { assignmentId })
  const restore = useSend(restoreRubricVersion)
  const [looking, setLooking] = useState<number | null>(null)
  // Saved since this list was last loaded.
  const stale = versions.data && versions.data[0]?.version !== current.version
  if (stale && !versions.refreshing) void versions.reload()
  if (versions.error && !versions.data)
    return <LoadError error={versions.error} retry={versions.reload} title="Error Loading Versions" />
  if (!versions.data) return <RowSkeletons label="Loading versions" />
  return (
    <ol className={classes.list} aria-label="Versions">
      {versions.data.map((one) => (
        <li key={one.version}>
          <div className={classes.head}>
            <h3>Version {one.version}</h3>
            {one.version === current.version && <span className={classes.present}>Current</span>}
          </div>
          <p className={classes.made}>
            {authorLabel(one)}, <time dateTime={one.made_at}>{formatDateTime(one.made_at)}</time>
          </p>
          <p className={classes.made}>
            {plural(one.questions, 'question')}, {plural(one.points, 'point')}
          </p>
          {one.note && <p className={classes.note}>{one.note}</p>}
          <div className={classes.buttons}>
            <SecondaryButton
              aria-expanded={looking === one.version}
              aria-label={`View version ${one.version}`}
              onClick={() => setLooking(looking === one.version ? null : one.version)}
            >
              {looking === one.version ? 'Close' : 'View'}
            </SecondaryButton>
            {one.version !== current.version && (
              <AskFirst
                button={(ask) => (
                  <SecondaryButton disabled={current.held} aria-label={`Restore version ${one.version}`} onClick={ask}>
                    Restore
                  </SecondaryButton>
                )}
                title={`Restore version ${one.version}?`}
                confirmLabel="Restore"
                onConfirm={async () => {
                  const params = { assignmentId, version: one.version }
                  restored(await restore.send({ params, body: { version: current.version } }))
                  toast.success(`Version ${one.version} restored.`)
                  close()
                }}
              >
                <p>It becomes the newest version. The current version stays in this list.</p>
                <p>Grades affected by the change are marked as outdated until you regrade.</p>
                {unsaved && <p>Your unsaved changes will be lost.</p>}
              </AskFirst>
            )}
          </div>
          {looking === one.version && (
            <VersionPreview assignmentId={assignmentId} version={one.version} current={current} />
          )}
        </li>
      ))}
    </ol>
  )
}

function VersionPreview(props: { assignmentId: number; version: number; current: CurrentRubric }) {
  const { assignmentId, version, current } = props
  const found = useGet(getRubricVersion, { assignmentId, version })
  return (
    <Loaded query={found} title="Error Loading Version" skeleton={<RowSkeletons label="Loading the version" />}>
      {({ rubric }) => (
        <div className={classes.look}>
          {current.rubric && version !== current.version && <ChangesList before={current.rubric} after={rubric} />}
          <RubricSummary rubric={rubric} />
        </div>
      )}
    </Loaded>
  )
}

function authorLabel({ made_by, made_by_name }: RubricVersion): string {
  if (made_by === 'rules') return 'Created from blank and key'
  if (made_by === 'copy') return `Copied from “${made_by_name ?? 'another assignment'}”`
  const name = made_by_name ?? 'someone'
  return made_by === 'model' ? `Created by ${name}` : `Saved by ${name}`
}

function RubricSummary({ rubric }: { rubric: Rubric }) {
  const prompts = ownPrompts(rubric.questions.map(({ prompt }) => prompt))
  return (
    <ul className={classes.questions} aria-label="Questions of this version">
      {rubric.questions.map((question, i) => (
        <li key={question.id}>
          <strong>
            {question.number}. {prompts[i]}
          </strong>{' '}
          ({plural(questionPoints(question), 'point')})
          {question.criteria.map(({ id, expected, alternatives }) => (
            <p key={id}>{[expected || 'No expected answer', ...alternatives].join(' · ')}</p>
          ))}
        </li>
      ))}
    </ul>
  )
}

const find = ({ questions }: Rubric, id: string) => questions.find((question) => question.id === id)

const named = (list: QuestionRef[]) => questionsLabel(list.map(({ number }) => number))

export function ChangesList({ before, after }: { before: Rubric; after: Rubric }) {
  const { changed, added, removed } = rubricChanges(before, after)
  const points = [totalPoints(before), totalPoints(after)] as const
  const same = changed.length + added.length + removed.length === 0
  return (
    <ul className={rubricEditorClasses.changes}>
      {same && <li>No changes to grading.</li>}
      {changed.map(({ id, number }) => (
        <li key={id}>
          Changes question {number}: {changedParts(find(before, id), find(after, id)).join(', ')}.
        </li>
      ))}
      {added.length > 0 && <li>Adds {named(added)}.</li>}
      {removed.length > 0 && <li>Removes {named(removed)}.</li>}
      {points[0] !== points[1] && (
        <li>
          {plural(points[1], 'point')} in total (was {points[0]}).
        </li>
      )}
    </ul>
  )
}
