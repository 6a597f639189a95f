import { type RegistrationLink, takeBackRegistrationLink } from '@assay/shared/lti-registration.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmModal } from '../../../components/ConfirmModal.tsx'
import { Panel, PanelList } from '../../../components/Panel.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { type Loaded, useSend } from '../../../lib/api.ts'
import { formatMoment } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'

const marks = {
  open: { status: 'pending', word: 'Open' },
  used: { status: 'graded', word: 'Used' },
  expired: { status: 'closed', word: 'Expired' },
} as const

/** Links made before, and what came of each. */
export function RegistrationLinks({ links }: { links: Loaded<RegistrationLink[]> }) {
  const [asked, setAsked] = useState<RegistrationLink | null>(null)
  const takeBack = useSend(takeBackRegistrationLink)
  if (!links.data?.length) return null

  async function confirm({ id }: RegistrationLink) {
    await takeBack.send({ params: { linkId: id } })
    links.patch((list) => list.filter((one) => one.id !== id))
    toast.good('The link has been taken back.')
  }

  return (
    <Panel title="Links made so far">
      <PanelList label="Registration links">
        {links.data.map((link) => (
          <li key={link.id} className={classes.row}>
            <div className={classes.words}>
              <span>
                Made {formatMoment(link.created_at)}
                {link.created_by && ` by ${link.created_by}`}
              </span>
              <span className={classes.dim}>{fateOf(link)}</span>
            </div>
            <StatusMark status={marks[link.state].status}>{marks[link.state].word}</StatusMark>
            {link.platform && <Link to={`/admin/lms/${link.platform.id}`}>{link.platform.name}</Link>}
            {link.state === 'open' && (
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Take back the link made ${formatMoment(link.created_at)}`}
                onClick={() => setAsked(link)}
              >
                Take back
              </Button>
            )}
          </li>
        ))}
      </PanelList>
      {asked && (
        <ConfirmModal
          opened
          close={() => setAsked(null)}
          title="Take the link back?"
          confirmLabel="Take back"
          onConfirm={() => confirm(asked)}
        >
          <p>Nothing can be registered by it any more. You can make another one.</p>
        </ConfirmModal>
      )}
    </Panel>
  )
}

function fateOf({ state, expires_at, failed }: RegistrationLink): string {
  if (state === 'used') return 'An LMS registered itself by it.'
  if (failed) return `Tried ${formatMoment(failed.at)}: ${failed.said}`
  return state === 'open'
    ? `Good until ${formatMoment(expires_at)}`
    : `Not used until ${formatMoment(expires_at)}`
}
