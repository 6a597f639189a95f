import type { LmsGuide } from '@assay/shared/lti/lms-guides/lms-guide.ts'
import { createRegistrationLink, listRegistrationLinks } from '@assay/shared/lti/lti-registration.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { CopyableValues } from '../../../components/display/CopyableValues.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './Lms.module.css'
import { RegistrationLinks } from './RegistrationLinks.tsx'

/** Somebody is in the LMS meanwhile: this page sees for itself when its link has been used. */
const POLL_MS = 3_000

export function RegisterByLink({ guide }: { guide: LmsGuide }) {
  const [made, setMade] = useState<{ id: number; url: string } | null>(null)
  const links = useGet(listRegistrationLinks, undefined, undefined, { refreshIntervalMs: made ? POLL_MS : 0 })
  const create = useSend(createRegistrationLink)
  const refresh = useRevalidate()
  const link = links.data?.find(({ id }) => id === made?.id)

  async function make() {
    try {
      const { link: fresh, url } = await create.send({})
      setMade({ id: fresh.id, url })
      void refresh('/admin/lti/registration-links')
    } catch {
      // Shown beside the button.
    }
  }

  return (
    <div className={classes.parts}>
      <ol className={classes.steps}>
        <li>
          Create a link for {guide.name}. It registers one LMS, within seven days.
          <div className={classes.part}>
            <div className={classes.buttons}>
              <Button variant={made ? 'default' : 'filled'} loading={create.sending} onClick={() => void make()}>
                {made ? 'Create another link' : 'Create a registration link'}
              </Button>
            </div>
            {create.error && (
              <Notice tone="bad">{messageOf(create.error, 'The link could not be created. Please try again.')}</Notice>
            )}
            {made && (
              <>
                <CopyableValues
                  label="The registration link"
                  values={[{ label: 'Registration link', value: made.url }]}
                />
                <p className={classes.about}>
                  This link is shown only once. Anyone who has it can register an LMS, which then waits for your
                  approval.
                  {link && ` Valid until ${formatDateTime(link.expires_at)}.`}
                </p>
              </>
            )}
          </div>
        </li>
        {guide.linkSteps?.map((step) => (
          <li key={step}>{step}</li>
        ))}
        <li>
          Come back here and approve it.
          <div role="status">
            {link?.state === 'used' && (
              <Notice
                title={`${link.platform?.name ?? 'The LMS'} has registered itself`}
                actions={
                  link.platform && (
                    <Button component={Link} to={`/admin/lms/${link.platform.id}`}>
                      Review and approve
                    </Button>
                  )
                }
              >
                It can open Assay once you have approved it.
              </Notice>
            )}
            {link?.failed && (
              <Notice tone="warn" title={link.failed.message}>
                {link.failed.fix}
                {link.failed.detail && ` (${link.failed.detail})`}
              </Notice>
            )}
          </div>
        </li>
      </ol>
      <RegistrationLinks links={links} />
    </div>
  )
}
