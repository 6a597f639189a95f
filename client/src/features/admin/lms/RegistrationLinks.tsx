import { type RegistrationLink, revokeRegistrationLink } from '@assay/shared/lti/lti-registration.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Panel, PanelList } from '../../../components/layout/Panel.tsx'
import { type QueryResult, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'

const linkStatusMarks = {
  open: { status: 'pending', word: 'Open' },
  used: { status: 'graded', word: 'Used' },
  expired: { status: 'closed', word: 'Expired' },
} as const

/** Earlier links, and their outcomes. */
export function RegistrationLinks({ links }: { links: QueryResult<RegistrationLink[]> }) {
  const [asked, setAsked] = useState<RegistrationLink | null>(null)
  const takeBack = useSend(revokeRegistrationLink)
  if (!links.data?.length) return null

  async function confirm({ id }: RegistrationLink) {
    await takeBack.send({ params: { linkId: id } })
    links.patch((list) => list.filter((one) => one.id !== id))
    toast.success('The link has been revoked.')
  }

  return (
    <Panel title="Registration links">
      <PanelList label="Registration links">
        {links.data.map((link) => (
          <li key={link.id} className={classes.row}>
            <div className={classes.words}>
              <span>
                Created {formatDateTime(link.created_at)}
                {link.created_by && ` by ${link.created_by}`}
              </span>
              <span className={classes.dim}>{linkOutcome(link)}</span>
            </div>
            <StatusBadge status={linkStatusMarks[link.state].status}>{linkStatusMarks[link.state].word}</StatusBadge>
            {link.platform && <Link to={`/admin/lms/${link.platform.id}`}>{link.platform.name}</Link>}
            {link.state === 'open' && (
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Revoke the link created ${formatDateTime(link.created_at)}`}
                onClick={() => setAsked(link)}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </PanelList>
      {asked && (
        <ConfirmModal
          opened
          close={() => setAsked(null)}
          title="Revoke this link?"
          confirmLabel="Revoke"
          onConfirm={() => confirm(asked)}
        >
          <p>It can no longer be used to register an LMS. You can create another one.</p>
        </ConfirmModal>
      )}
    </Panel>
  )
}

function linkOutcome({ state, expires_at, failed }: RegistrationLink): string {
  if (state === 'used') return 'An LMS registered with it.'
  if (failed) return `Failed ${formatDateTime(failed.at)}: ${failed.message}`
  return state === 'open'
    ? `Valid until ${formatDateTime(expires_at)}`
    : `Expired unused on ${formatDateTime(expires_at)}`
}
