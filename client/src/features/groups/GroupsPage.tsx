import { getAssignment } from '@assay/shared/assignments.ts'
import { type AssignmentGroups, type Group, listGroups, saveGroup, takeGroups } from '@assay/shared/groups.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, FileButton, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { LoadError, Page, PageHeader, PageSkeleton, Panel, PanelList } from '../../components/layout/Page.tsx'
import { useAttempt, useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { tryWithToast } from '../../lib/toast.ts'
import { assignmentSettingsPath, submissionsPath } from '../../paths.ts'
import classes from './Groups.module.css'

const NOT_SAVED = 'The group could not be saved. Please try again.'

export function GroupsPage() {
  const params = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, params)
  const groups = useGet(listGroups, params)
  const save = useSend(saveGroup)
  const taking = useSend(takeGroups)
  const { attempt, busy, failure } = useAttempt('The groups could not be taken. Please try again.')
  const [editing, setEditing] = useState<Group | 'new' | null>(null)
  const error = assignment.error ?? groups.error
  if (!assignment.data || !groups.data)
    return error ? (
      <Page width="reading">
        <PageHeader title="Groups" />
        <LoadError error={error} retry={groups.reload} title="Error Loading Groups">
          <LinkButton to="/dashboard">Back to Dashboard</LinkButton>
        </LoadError>
      </Page>
    ) : (
      <PageSkeleton label="Loading groups" />
    )

  const { data } = groups
  const { title, anonymous } = assignment.data
  const hidden = anonymous?.names_hidden ?? false
  const can = data.rule !== null && !hidden
  const papers = submissionsPath(params.assignmentId)
  const change = async (body: BodyOf<typeof saveGroup>) => {
    const next = await save.send({ params, body })
    groups.patch(() => next)
  }
  const take = (csv: () => Promise<string> | null) =>
    attempt(async () => {
      const next = await taking.send({ params, body: { csv: await csv() } })
      groups.patch(() => next)
    })

  return (
    <Page width="reading">
      <PageHeader
        title="Groups"
        tabTitle={`Groups, ${title}`}
        crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: title, to: papers }, { label: 'Groups' }]}
        subtitle={data.rule ? `Groups of up to ${data.rule.max} hand in one paper` : undefined}
        actions={
          can && (
            <>
              <Button onClick={() => setEditing('new')}>New Group</Button>
              <FileButton accept=".csv,text/csv" onChange={(file) => file && void take(() => file.text())}>
                {(props) => (
                  <SecondaryButton {...props} loading={busy}>
                    Import CSV
                  </SecondaryButton>
                )}
              </FileButton>
              {data.lms && (
                <SecondaryButton loading={busy} onClick={() => void take(() => null)}>
                  Take the groups of {data.lms}
                </SecondaryButton>
              )}
            </>
          )
        }
      />
      <div className={classes.stack}>
        {hidden && <Notice>While names are hidden, groups cannot be changed: the paper would show whose it is.</Notice>}
        {data.rule === null && (
          <Notice title="Everybody hands in alone">
            To make groups, check “Students may work in groups” in the{' '}
            <Link to={assignmentSettingsPath(params.assignmentId)}>settings</Link>.
          </Notice>
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
        {data.failures && data.failures.length > 0 && (
          <Notice tone="warn" title="Not all of it could be taken">
            {data.failures.map((words) => (
              <p key={words}>{words}</p>
            ))}
          </Notice>
        )}
        {data.groups.length === 0 ? (
          can && <p className="dim">A CSV needs a column “group” and one for username, email or student number.</p>
        ) : (
          <Panel title={plural(data.groups.length, 'group')}>
            <PanelList label="Groups">
              {data.groups.map((group) => (
                <li key={group.id} className={classes.row}>
                  <div className={classes.words}>
                    <span className={classes.name}>{group.name}</span>
                    {group.members.map(nameOf).join(', ')}
                    <Changes group={group} change={can ? change : null} />
                  </div>
                  {group.submission_id !== null && (
                    <LinkButton
                      size="compact-sm"
                      to={`${papers}/${group.submission_id}`}
                      aria-label={`Paper of ${group.name}`}
                    >
                      Paper
                    </LinkButton>
                  )}
                  {can && (
                    <SecondaryButton
                      size="compact-sm"
                      aria-label={`Edit ${group.name}`}
                      onClick={() => setEditing(group)}
                    >
                      Edit
                    </SecondaryButton>
                  )}
                </li>
              ))}
            </PanelList>
          </Panel>
        )}
        {data.rule && data.alone.length > 0 && (
          <Panel title={`${plural(data.alone.length, 'student')} in no group`}>
            <p>{data.alone.map(nameOf).join(', ')}</p>
          </Panel>
        )}
      </div>
      {editing && (
        <GroupModal
          group={editing === 'new' ? null : editing}
          data={data}
          close={() => setEditing(null)}
          change={change}
        />
      )}
    </Page>
  )
}

type Change = (body: BodyOf<typeof saveGroup>) => Promise<void>

/** Who joined or left after hand-in: the grade goes with the paper. */
function Changes({ group: { id, members, changes }, change }: { group: Group; change: Change | null }) {
  const ids = members.map((member) => member.id)
  return changes.map(({ student_id, name, what, at }) => {
    const before = what === 'left' ? [...ids, student_id] : ids.filter((one) => one !== student_id)
    return (
      <div key={student_id} className={classes.row}>
        <span className="hint">
          {name} {what} after hand-in, <time dateTime={at}>{formatDateTime(at)}</time>
        </span>
        {change && before.length > 0 && (
          <SubtleButton
            size="compact-sm"
            aria-label={`Undo: ${name} ${what}`}
            onClick={() => void tryWithToast(NOT_SAVED, () => change({ id, student_ids: before }))}
          >
            Undo
          </SubtleButton>
        )}
      </div>
    )
  })
}

interface GroupModalProps {
  group: Group | null
  data: AssignmentGroups
  close: () => void
  change: Change
}

function GroupModal({ group, data, close, change }: GroupModalProps) {
  const [name, setName] = useState(group?.name ?? '')
  const [chosen, setChosen] = useState(() => group?.members.map(({ id }) => String(id)) ?? [])
  const offered = [
    ...data.alone.map((one) => ({ one, where: '' })),
    ...data.groups.flatMap(({ id, name: other, members }) =>
      members.map((one) => ({ one, where: id === group?.id ? '' : `, now in ${other}` })),
    ),
  ].map(({ one, where }) => ({ value: String(one.id), label: `${nameOf(one)} (${one.username})${where}` }))
  const dissolves = group !== null && chosen.length === 0
  return (
    <ConfirmModal
      opened
      close={close}
      title={group ? `Edit ${group.name}` : 'New group'}
      confirmLabel={dissolves ? 'Dissolve Group' : 'Save Group'}
      dangerous={dissolves}
      disabled={chosen.length === 0 && !group}
      failed={NOT_SAVED}
      onConfirm={() => change({ ...(group ? { id: group.id } : {}), name, student_ids: chosen.map(Number) })}
    >
      <TextInput
        label="Name"
        placeholder={group ? undefined : `Group ${data.groups.length + 1}`}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <MultiSelect
        label="Students"
        mt={12}
        description={group && 'Without students the group is dissolved; its paper stays with who handed it in.'}
        data={offered}
        value={chosen}
        onChange={setChosen}
        maxValues={Math.max(data.rule?.max ?? 0, group?.members.length ?? 0)}
        searchable
        hidePickedOptions
      />
      {group?.submission_id != null && (
        <p className="dim">
          This group has handed in. Who joins gets its paper and grade; who leaves loses them. The group is told by
          mail, and you can undo it.
        </p>
      )}
    </ConfirmModal>
  )
}
