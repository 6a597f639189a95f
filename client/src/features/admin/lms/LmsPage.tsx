import { lmsGuides, lmsNames } from '@assay/shared/lms-guides.ts'
import { getPlatform, type Platform } from '@assay/shared/lti-platforms.ts'
import { getToolValues } from '@assay/shared/lti-registration.ts'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { Page } from '../../../components/Page.tsx'
import { PageHeader } from '../../../components/PageHeader.tsx'
import { PageSkeleton } from '../../../components/PageSkeleton.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { NotFoundPage } from '../../../layout/NotFoundPage.tsx'
import { type Loaded, useGet } from '../../../lib/api.ts'
import { useIds } from '../../../lib/useIds.ts'
import { ApprovalNotice } from './ApprovalNotice.tsx'
import { DoorLogPanel } from './DoorLogPanel.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import classes from './Lms.module.css'
import { platformMarks } from './lms-words.ts'
import { lifeOf, PlatformActions } from './PlatformActions.tsx'
import { PlatformValuesPanel } from './PlatformValuesPanel.tsx'
import { SelfTestPanel } from './SelfTestPanel.tsx'
import { ToolValuesPart } from './ToolValuesPart.tsx'

export function LmsPage() {
  const ids = useIds('platformId')
  const platform = useGet(getPlatform, ids)
  if (platform.data) return <Screen key={platform.data.id} platform={platform.data} loaded={platform} />
  if (platform.error?.status === 404) return <NotFoundPage />
  if (platform.error) {
    return (
      <Page width="standard">
        <PageHeader title="LMS" crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: 'One LMS' }]} />
        <LoadFailed error={platform.error} retry={platform.reload} />
      </Page>
    )
  }
  return <PageSkeleton label="Loading the LMS" />
}

function Screen({ platform, loaded }: { platform: Platform; loaded: Loaded<Platform> }) {
  const tool = useGet(getToolValues)
  const { status, word } = platformMarks[platform.status]
  const changed = (after: Platform) => loaded.patch(() => after)
  return (
    <Page width="standard">
      <PageHeader
        title={platform.name}
        crumbs={[{ label: 'LMS', to: '/admin/lms' }, { label: platform.name }]}
        beside={<StatusMark status={status}>{word}</StatusMark>}
        subtitle={`${lmsNames[platform.lms]}, ${lifeOf(platform)}`}
        actions={<PlatformActions platform={platform} changed={changed} />}
      />
      <div className={classes.parts}>
        <ApprovalNotice platform={platform} changed={changed} />
        <SelfTestPanel platform={platform} />
        <DoorLogPanel platform={platform} />
        <PlatformValuesPanel platform={platform} changed={changed} />
        <KeyPanel platform={platform} changed={changed} />
        {tool.data && (
          <details className={classes.more}>
            <summary>Assay’s values for {lmsNames[platform.lms]}</summary>
            <div>
              <ToolValuesPart guide={lmsGuides[platform.lms]} tool={tool.data} />
            </div>
          </details>
        )}
      </div>
    </Page>
  )
}
