import { lmsGuides, lmsNames } from '@assay/shared/lti/lms-guides.ts'
import { getPlatform, type Platform } from '@assay/shared/lti/lti-platforms.ts'
import { getToolValues } from '@assay/shared/lti/lti-registration.ts'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { PageSkeleton } from '../../../components/layout/PageSkeleton.tsx'
import { NotFoundPage } from '../../../layout/NotFoundPage.tsx'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { ApprovalNotice } from './ApprovalNotice.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import { LaunchLogPanel } from './LaunchLogPanel.tsx'
import classes from './Lms.module.css'
import { platformStatusLabels } from './lms-messages.ts'
import { PlatformActions, registrationSummary } from './PlatformActions.tsx'
import { PlatformValuesPanel } from './PlatformValuesPanel.tsx'
import { SameIssuerNotice } from './SameIssuerNotice.tsx'
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
        subtitle={`${lmsNames[platform.lms]}, ${registrationSummary(platform)}`}
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
            <summary>Assay’s values for {lmsNames[platform.lms]}</summary>
            <div>
              <ToolValuesSection guide={lmsGuides[platform.lms]} tool={tool.data} />
            </div>
          </details>
        )}
      </div>
    </Page>
  )
}
