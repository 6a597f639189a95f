import { lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import {
  changePlatform,
  getPlatform,
  type LaunchLogEntry,
  listLaunchLog,
  type Platform,
  rotatePlatformKey,
} from '@assay/shared/lti/lti-platforms.ts'
import { getToolValues } from '@assay/shared/lti/lti-registration.ts'
import { Fragment, useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { DraftFooter } from '../../../components/feedback/DraftFooter.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import {
  LoadError,
  Loaded,
  Page,
  PageHeader,
  PageSkeleton,
  Panel,
  PanelList,
  RowSkeletons,
} from '../../../components/layout/Page.tsx'
import { NotFoundPage } from '../../../layout/NotFoundPage.tsx'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { useContractDraft } from '../../../lib/forms/useContractDraft.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { toast } from '../../../lib/toast.ts'
import { lmsPath } from '../../../paths.ts'
import { ApprovalNotice } from './ApprovalNotice.tsx'
import classes from './Lms.module.css'
import { launchLogMessage, platformStatusLabels, registrationSummary } from './lms-messages.ts'
import { PlatformActions } from './PlatformActions.tsx'
import {
  DeploymentFields,
  EndpointFields,
  IdentityFields,
  parsePlatformForm,
  platformFormValues,
} from './PlatformFields.tsx'
import { SelfTestPanel } from './SelfTestPanel.tsx'
import { ToolValuesSection } from './ToolValuesSection.tsx'

export function LmsPage() {
  const ids = useRouteIds('platformId')
  const platform = useGet(getPlatform, ids)
  if (platform.data) return <Screen key={platform.data.id} platform={platform.data} loaded={platform} />
  if (platform.error?.status === 404) return <NotFoundPage />
  if (platform.error) {
    return (
      <Page width="standard">
        <PageHeader title="LMS" crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: 'One LMS' }]} />
        <LoadError error={platform.error} retry={platform.reload} />
      </Page>
    )
  }
  return <PageSkeleton label="Loading the LMS" />
}

function Screen({ platform, loaded }: { platform: Platform; loaded: QueryResult<Platform> }) {
  const tool = useGet(getToolValues)
  const { status, label } = platformStatusLabels[platform.status]
  const changed = (after: Platform) => loaded.patch(() => after)
  return (
    <Page width="standard">
      <PageHeader
        title={platform.name}
        crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: platform.name }]}
        badge={<StatusBadge status={status}>{label}</StatusBadge>}
        subtitle={`${lmsGuides[platform.lms].name}, ${registrationSummary(platform)}`}
        actions={<PlatformActions platform={platform} changed={changed} />}
      />
      <div className={classes.parts}>
        <ApprovalNotice platform={platform} changed={changed} />
        <SameIssuerNotice platform={platform} />
        <SelfTestPanel platform={platform} />
        <LaunchLogPanel platform={platform} />
        <PlatformValuesPanel platform={platform} changed={changed} />
        <KeyPanel platform={platform} changed={changed} />
        {tool.data && (
          <details className={classes.more}>
            <summary>Assay’s values for {lmsGuides[platform.lms].name}</summary>
            <div>
              <ToolValuesSection guide={lmsGuides[platform.lms]} tool={tool.data} />
            </div>
          </details>
        )}
      </div>
    </Page>
  )
}

function SameIssuerNotice({ platform: { same_issuer } }: { platform: Platform }) {
  const tools = same_issuer.filter((other) => other.same_people)
  const others = same_issuer.filter((other) => !other.same_people)
  return (
    <>
      {others.length > 0 && (
        <Notice tone="warn" title={others.length === 1 ? 'Another LMS has this issuer' : 'Other LMSs have this issuer'}>
          <Names platforms={others} /> {others.length === 1 ? 'has' : 'have'} the same issuer, but another
          authentication URL or key set URL. Assay keeps the people of each apart, so nobody from one can open an
          account from the other. If they are tools of the same LMS, enter the same addresses before people use them.
        </Notice>
      )}
      {tools.length > 0 && (
        <Notice>
          <Names platforms={tools} /> {tools.length === 1 ? 'is another tool' : 'are other tools'} of the same LMS, with
          the same people. A new authentication URL or key set URL applies to all of them.
        </Notice>
      )}
    </>
  )
}

function Names({ platforms }: { platforms: Platform['same_issuer'] }) {
  return platforms.map(({ id, name, client_id }, i) => (
    <span key={id}>
      {i > 0 && (i === platforms.length - 1 ? ' and ' : ', ')}
      <Link to={lmsPath(id)}>{name}</Link> (client ID {client_id})
    </span>
  ))
}

function PlatformValuesPanel({ platform, changed }: { platform: Platform; changed: (after: Platform) => void }) {
  const save = useSend(changePlatform)
  const refresh = useRevalidate()
  const form = useContractDraft(changePlatform, {
    stored: platformFormValues(platform),
    toBody: (texts, fields) => {
      const values = parsePlatformForm(texts)
      return Object.fromEntries(fields.map((field) => [field, values[field]]))
    },
  })
  const submit = form.submit(async (body) => {
    changed(await save.send({ params: { platformId: platform.id }, body }))
    toast.success('Saved.')
    void refresh('/admin')
  })
  const fields = { texts: form.values, set: form.change, errors: form.errors }
  return (
    <Panel title="Values">
      <form className={classes.form} noValidate onSubmit={submit}>
        <IdentityFields {...fields} />
        <EndpointFields {...fields} />
        <DeploymentFields {...fields} />
        <DraftFooter
          form={form}
          fallback="Nothing was saved. Please try again."
          unsaved="The LMS’s values have not been saved. Your changes will be lost."
        />
      </form>
    </Panel>
  )
}

function KeyPanel({ platform, changed }: { platform: Platform; changed: (after: Platform) => void }) {
  const rotate = useSend(rotatePlatformKey)
  const { key, earlier_keys } = platform

  async function confirm() {
    changed(await rotate.send({ params: { platformId: platform.id } }))
    toast.success('The new key is in use.')
  }
  return (
    <Panel
      title="Key"
      actions={
        <AskFirst
          button={(ask) => <SecondaryButton onClick={ask}>Create a new key</SecondaryButton>}
          title="Create a new key?"
          confirmLabel="Create key"
          onConfirm={confirm}
        >
          <p>
            Assay signs with the new key immediately. The old public key stays published for a week. An LMS that has the
            key set URL picks up the new key automatically.
          </p>
        </AskFirst>
      }
    >
      <dl className={classes.facts}>
        <dt>In use</dt>
        <dd>
          <code>{key.kid}</code>, since {formatDate(key.created_at)}
        </dd>
        {earlier_keys.map(({ kid, gone_at }) => (
          <Fragment key={kid}>
            <dt>Before</dt>
            <dd>
              <code>{kid}</code>, published until {formatDateTime(gone_at)}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  )
}

const PER_PAGE = 10
/** An admin tries a launch in another tab and sees its outcome here. */
const POLL_MS = 10_000

function LaunchLogPanel({ platform }: { platform: Platform }) {
  const [page, setPage] = useState(1)
  const query = { skip: (page - 1) * PER_PAGE, limit: PER_PAGE }
  const log = useGet(listLaunchLog, { platformId: platform.id }, query, {
    refreshIntervalMs: POLL_MS,
    keepPreviousData: true,
  })
  return (
    <Panel title="Recent launches">
      <Loaded query={log} skeleton={<RowSkeletons count={3} label="Loading recent launches" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="dim">None yet. Launches appear here when someone opens Assay from a course in the LMS.</p>
          ) : (
            <>
              <PanelList label="Recent launches">
                {data.map((entry) => (
                  <Row key={entry.id} entry={entry} />
                ))}
              </PanelList>
              <ListPagination
                page={page}
                setPage={setPage}
                perPage={PER_PAGE}
                total={log.total}
                itemName="entry"
                itemNamePlural="entries"
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Row({ entry }: { entry: LaunchLogEntry }) {
  const refused = entry.outcome === 'refused'
  return (
    <li className={classes.check}>
      <div className={classes.words}>
        <span>{launchLogMessage(entry)}</span>
        {refused && entry.fix && <span className="hint">{entry.fix}</span>}
        {refused && entry.detail && <span className="hint">Details: {entry.detail}</span>}
        <span className="hint">
          <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
          {entry.deployment_id && `, deployment ${entry.deployment_id}`}
        </span>
      </div>
      <span className={classes.mark}>
        <StatusBadge status={refused ? 'failed' : 'graded'}>
          {refused ? 'Refused' : entry.step === 'registration' ? 'Done' : 'Accepted'}
        </StatusBadge>
      </span>
    </li>
  )
}
