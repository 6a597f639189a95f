import { type LmsGuide, lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import { LmsKind } from '@assay/shared/lti/lti.ts'
import {
  createRegistrationLink,
  getToolValues,
  listRegistrationLinks,
  type RegistrationLink,
  revokeRegistrationLink,
} from '@assay/shared/lti/lti-registration.ts'
import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { PrimaryLinkButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { CopyableValues } from '../../../components/display/CopyableValues.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded, Page, PageHeader, Panel, PanelList, RowSkeletons } from '../../../components/layout/Page.tsx'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { lmsPath } from '../../../paths.ts'
import classes from './Lms.module.css'
import { RegisterByValues } from './RegisterByValues.tsx'

/** The choice is in the address, so that it can be sent to the LMS's administrator. */
export function RegisterLmsPage() {
  const [search, setSearch] = useSearchParams()
  const lms = LmsKind.safeParse(search.get('lms')).data ?? null
  const way = search.get('way') === 'values' ? 'values' : 'link'
  const tool = useGet(getToolValues)
  // `flushSync`: a radio whose state waits for a transition springs back for a moment.
  const choose = (more: Record<string, string>) =>
    setSearch({ ...Object.fromEntries(search), ...more }, { replace: true, preventScrollReset: true, flushSync: true })

  return (
    <Page width="standard">
      <PageHeader
        title="Register an LMS"
        crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: 'Register' }]}
        subtitle="Register the LMS and Assay with each other once. Teachers can then open Assay from their courses."
      />
      <Loaded query={tool} skeleton={<RowSkeletons count={4} label="Loading" />}>
        {(data) => (
          <div className={classes.parts}>
            {!data.https && (
              <Notice tone="warn" title={`Assay’s address is ${data.public_url}`}>
                Most LMSs require an address that begins with https://, and browsers block cookies for any other inside
                an LMS. The server operator can change it with PUBLIC_URL.
              </Notice>
            )}
            <fieldset className={classes.choices}>
              <legend>Which LMS?</legend>
              <div>
                {LmsKind.options.map((kind) => (
                  <label key={kind} className={classes.choice}>
                    <input
                      type="radio"
                      name="lms"
                      value={kind}
                      checked={lms === kind}
                      onChange={() => choose({ lms: kind })}
                    />
                    {lmsGuides[kind].name}
                  </label>
                ))}
              </div>
            </fieldset>
            {lms && (
              <Tabs value={way} onChange={(next) => choose({ way: next ?? 'link' })} keepMounted={false}>
                <Tabs.List aria-label="How to register it">
                  <Tabs.Tab value="link">With a link</Tabs.Tab>
                  <Tabs.Tab value="values">Manually</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="link" pt="md">
                  <RegisterByLink key={lms} guide={lmsGuides[lms]} />
                </Tabs.Panel>
                <Tabs.Panel value="values" pt="md">
                  <RegisterByValues key={lms} lms={lms} tool={data} />
                </Tabs.Panel>
              </Tabs>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Polls until the link was used in the LMS. */
const POLL_MS = 3_000

function RegisterByLink({ guide }: { guide: LmsGuide }) {
  const [made, setMade] = useState<{ id: number; url: string } | null>(null)
  const links = useGet(listRegistrationLinks, undefined, undefined, { refreshIntervalMs: made ? POLL_MS : 0 })
  const create = useSend(createRegistrationLink)
  const refresh = useRevalidate()
  const link = links.data?.find(({ id }) => id === made?.id)

  async function make() {
    const fresh = await create.attempt({})
    if (!fresh) return
    setMade({ id: fresh.link.id, url: fresh.url })
    void refresh('/admin/lti/registration-links')
  }

  return (
    <div className={classes.parts}>
      <ol className={classes.steps}>
        <li>
          Create a link for {guide.name}. It registers one LMS, within seven days.
          <div className={classes.part}>
            <div className="centered-row">
              <Button variant={made ? 'default' : 'filled'} loading={create.sending} onClick={() => void make()}>
                {made ? 'Create another link' : 'Create a registration link'}
              </Button>
            </div>
            <ErrorNotice error={create.error} fallback="The link could not be created. Please try again." />
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
        {guide.linkSteps.map((step) => (
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
                    <PrimaryLinkButton to={lmsPath(link.platform.id)}>Review and approve</PrimaryLinkButton>
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

const linkStatusMarks = {
  open: { status: 'pending', word: 'Open' },
  used: { status: 'graded', word: 'Used' },
  expired: { status: 'closed', word: 'Expired' },
} as const

function RegistrationLinks({ links }: { links: QueryResult<RegistrationLink[]> }) {
  const takeBack = useSend(revokeRegistrationLink)
  if (!links.data?.length) return null

  async function revoke({ id }: RegistrationLink) {
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
              <span className="hint">{linkOutcome(link)}</span>
            </div>
            <StatusBadge status={linkStatusMarks[link.state].status}>{linkStatusMarks[link.state].word}</StatusBadge>
            {link.platform && <Link to={lmsPath(link.platform.id)}>{link.platform.name}</Link>}
            {link.state === 'open' && (
              <AskFirst
                button={(ask) => (
                  <SubtleButton
                    color="gray"
                    aria-label={`Revoke the link created ${formatDateTime(link.created_at)}`}
                    onClick={ask}
                  >
                    Revoke
                  </SubtleButton>
                )}
                title="Revoke this link?"
                confirmLabel="Revoke"
                onConfirm={() => revoke(link)}
              >
                <p>It can no longer be used to register an LMS. You can create another one.</p>
              </AskFirst>
            )}
          </li>
        ))}
      </PanelList>
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
