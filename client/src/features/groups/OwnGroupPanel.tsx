import { changeOwnGroup, getOwnGroup, type OwnGroup, type OwnGroupChange } from '@assay/shared/groups.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { AskFirst, ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Panel } from '../../components/layout/Page.tsx'
import { useAttempt, useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../lib/format.ts'
import classes from './Groups.module.css'

interface Props {
  assignmentId: number
  hasPaper: boolean
  /** Whose paper it is may have changed. */
  changed: () => Promise<unknown>
}

/** Nothing where everybody works alone. */
export function OwnGroupPanel({ assignmentId, hasPaper, changed }: Props) {
  const params = { assignmentId }
  const own = useGet(getOwnGroup, params)
  const send = useSend(changeOwnGroup)
  const { attempt, busy, failure } = useAttempt('Your group could not be changed. Please try again.')
  const [to, setTo] = useState('')
  const [joining, setJoining] = useState<OwnGroup['invited_by'][number] | null>(null)
  if (!own.data || (!own.data.rule && !own.data.group)) return null

  const { rule, group, invited_by, why_not } = own.data
  const can = why_not === null && rule !== null
  const change = async (body: OwnGroupChange) => {
    const next = await send.send({ params, body })
    own.patch(() => next)
    await changed()
  }
  const others = group?.members.filter(({ is_me }) => !is_me) ?? []
  const invite = async () => {
    if (await attempt(() => change({ action: 'invite', to }))) setTo('')
  }

  return (
    <Panel title="Your group">
      <div className={classes.stack}>
        {group ? (
          <p>
            <strong>{group.name}</strong>:{' '}
            {group.members.map(({ name, is_me }) => (is_me ? `${name} (you)` : name)).join(', ')}.
            {others.length > 0 && ' One of you hands in for all.'}
          </p>
        ) : (
          can && (
            <p>
              You work alone so far. Up to {rule.max} may hand in one paper: invite somebody of your course, or let them
              invite you.
            </p>
          )
        )}
        {group?.changes.map(({ name, what, at }) => (
          <p key={`${name} ${at}`} className="hint">
            {name} {what} after hand-in, <time dateTime={at}>{formatDateTime(at)}</time>
          </p>
        ))}
        {invited_by.map((one) => (
          <Notice
            key={one.group_id}
            title={`${one.name} invites you`}
            actions={
              can && (
                <>
                  <Button size="compact-sm" onClick={() => setJoining(one)}>
                    Join
                  </Button>
                  <SecondaryButton
                    size="compact-sm"
                    onClick={() => void attempt(() => change({ action: 'decline', group_id: one.group_id }))}
                  >
                    Decline
                  </SecondaryButton>
                </>
              )
            }
          >
            {one.members.join(', ')}
            {one.has_paper && '. They have handed in a paper.'}
          </Notice>
        ))}
        {why_not !== null && <p className="hint">{why_not}</p>}
        {can && (group?.members.length ?? 1) < rule.max && (
          <form
            className={classes.form}
            onSubmit={(event) => {
              event.preventDefault()
              void invite()
            }}
          >
            <TextInput
              className={classes.grow}
              label="Invite by email, username or student number"
              maxLength={254}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            <Button type="submit" size="sm" loading={busy} disabled={to.trim() === ''}>
              Invite
            </Button>
          </form>
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
        {can && group && group.invitations.length > 0 && (
          <div>
            <p className="hint">Whoever of your course has this address or number finds your invitation here.</p>
            {group.invitations.map((one) => (
              <div key={one.id} className={classes.row}>
                <span className={classes.words}>{one.to}, not answered yet</span>
                <SubtleButton
                  size="compact-sm"
                  aria-label={`Withdraw the invitation of ${one.to}`}
                  onClick={() => void attempt(() => change({ action: 'withdraw', invitation_id: one.id }))}
                >
                  Withdraw
                </SubtleButton>
              </div>
            ))}
          </div>
        )}
        {can && others.length > 0 && (
          <div>
            <AskFirst
              button={(ask) => <SecondaryButton onClick={ask}>Leave the Group</SecondaryButton>}
              title="Leave the group?"
              confirmLabel="Leave the Group"
              dangerous
              onConfirm={() => change({ action: 'leave' })}
            >
              {hasPaper &&
                'A paper that was handed in for the group stays with it, and you hand in another. The others and your instructor are told. '}
              You can come back until the assignment closes.
            </AskFirst>
          </div>
        )}
      </div>
      <ConfirmModal
        opened={joining !== null}
        close={() => setJoining(null)}
        title={`Join ${joining?.name ?? ''}?`}
        confirmLabel="Join the Group"
        onConfirm={() => (joining ? change({ action: 'join', group_id: joining.group_id }) : undefined)}
      >
        You will hand in one paper and get one grade with {joining?.members.join(', ')}.
        {(hasPaper || joining?.has_paper) &&
          ' Papers that are already handed in become the group’s; of several the last one counts. The others and your instructor are told.'}
      </ConfirmModal>
    </Panel>
  )
}
