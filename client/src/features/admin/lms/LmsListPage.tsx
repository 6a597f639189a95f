import { lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import { listPlatforms, type Platform } from '@assay/shared/lti/lti-platforms.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { PrimaryLinkButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { CourseIllustration, EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, PanelList, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { lmsPath } from '../../../paths.ts'
import classes from './Lms.module.css'
import { launchLogMessage, needsApproval, platformStatusLabels } from './lms-messages.ts'

const register = (
  <PrimaryLinkButton to="/admin/lms/new" leftSection={<IconPlus size={16} aria-hidden />}>
    Register an LMS
  </PrimaryLinkButton>
)

export function LmsListPage() {
  const platforms = useGet(listPlatforms)
  return (
    <Page>
      <PageHeader
        title="LMS"
        subtitle="Learning platforms from which teachers and students open Assay."
        actions={register}
      />
      <Loaded query={platforms} skeleton={<RowSkeletons count={3} label="Loading the LMSs" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState illustration={<CourseIllustration />} title="No LMS yet" action={register}>
              Register yours so that teachers can open Assay from their courses in Canvas, Moodle, Blackboard,
              Brightspace or Sakai. Rosters are imported and grades are sent back.
            </EmptyState>
          ) : (
            <PanelList label="Registered LMSs">
              {data.map((platform) => (
                <Row key={platform.id} platform={platform} />
              ))}
            </PanelList>
          )
        }
      </Loaded>
    </Page>
  )
}

function toolIds({ client_id, deployments }: Platform): string {
  const ids = deployments.map(({ id }) => id)
  const shown = ids.length > 4 ? [...ids.slice(0, 3), `${ids.length - 3}\u00a0more`] : ids
  if (ids.length === 0) return `Client ID ${client_id}`
  return `Client ID ${client_id} · ${ids.length === 1 ? 'Deployment' : 'Deployments'} ${listOf(shown)}`
}

function Row({ platform }: { platform: Platform }) {
  const { status, label } = platformStatusLabels[platform.status]
  const { last_launch: last } = platform
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Link to={lmsPath(platform.id)} className={classes.name}>
          {platform.name}
        </Link>
        <span className="hint">
          {lmsGuides[platform.lms].name} · {platform.issuer}
        </span>
        <span className="hint">{toolIds(platform)}</span>
      </div>
      <div className={classes.state}>
        <StatusBadge status={status}>{label}</StatusBadge>
        {platform.status !== 'pending' && needsApproval(platform) && (
          <StatusBadge status="upcoming">New values to review</StatusBadge>
        )}
        {platform.same_issuer.some((other) => !other.same_people) && (
          <StatusBadge status="flagged">Same issuer as another LMS</StatusBadge>
        )}
        <span className="hint">
          {last ? (
            <>
              <time dateTime={last.at}>{formatDateTime(last.at)}</time> {launchLogMessage(last)}
            </>
          ) : (
            'No launches yet'
          )}
        </span>
      </div>
    </li>
  )
}
