import { getAdminDashboard, listAudit } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { CardSkeletons, RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { type QueryResult, useGet } from '../../lib/api/api-hooks.ts'
import { formatCount, formatDuration, plural } from '../../lib/format.ts'
import classes from './AdminDashboardPage.module.css'
import { AttentionList } from './AttentionList.tsx'
import { AuditList } from './audit/AuditList.tsx'
import { HealthList } from './HealthList.tsx'
import { JobsPanel } from './JobsPanel.tsx'
import { type Stat, Stats } from './Stats.tsx'

type Dashboard = ReplyOf<typeof getAdminDashboard>

/** Refreshes itself while left open. */
const REFRESH_INTERVAL_MS = 30_000

export function AdminDashboardPage() {
  const dashboard = useGet(getAdminDashboard, undefined, undefined, { refreshIntervalMs: REFRESH_INTERVAL_MS })
  const activity = useGet(listAudit, undefined, { limit: 8 }, { refreshIntervalMs: REFRESH_INTERVAL_MS })
  const refresh = () => Promise.all([dashboard.reload(), activity.reload()])
  return (
    <Page>
      <PageHeader
        title="Admin Dashboard"
        subtitle={
          dashboard.data && `Assay ${dashboard.data.version}, up for ${formatDuration(dashboard.data.uptime_seconds)}`
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={dashboard.refreshing && dashboard.data !== undefined}
              onClick={() => void refresh()}
            >
              Refresh
            </Button>
            <Button component={Link} to="/admin/users" variant="default">
              Manage Users
            </Button>
            <Button component={Link} to="/admin/settings" variant="default">
              System Settings
            </Button>
          </>
        }
      />
      <DashboardFigures dashboard={dashboard} />
      <div className={classes.part}>
        <Panel
          title="Recent Activity"
          actions={
            <Button component={Link} to="/admin/audit" variant="subtle">
              Audit Log
            </Button>
          }
        >
          <Activity activity={activity} />
        </Panel>
      </div>
    </Page>
  )
}

function DashboardFigures({ dashboard }: { dashboard: QueryResult<Dashboard> }) {
  const { data, error, reload } = dashboard
  if (data) {
    return (
      <>
        <div className={classes.attention}>
          <Panel title="Needs attention">
            {error && (
              <p className={classes.none} role="status">
                These figures could not be updated. They are as of the last time.
              </p>
            )}
            <AttentionList items={data.attention} />
          </Panel>
        </div>
        <Stats stats={statsOf(data)} label="Statistics" />
        <div className={classes.columns}>
          <Panel title="System Health">
            <HealthList health={data.health} />
          </Panel>
          <Panel title="Jobs">
            <JobsPanel work={data.work} />
          </Panel>
        </div>
      </>
    )
  }
  if (error) return <LoadError error={error} retry={reload} />
  return <CardSkeletons count={8} height={92} label="Loading the dashboard" />
}

function Activity({ activity }: { activity: QueryResult<ReplyOf<typeof listAudit>> }) {
  const { data, error, reload } = activity
  if (data?.length === 0) return <p className={classes.none}>No activity yet.</p>
  if (data) return <AuditList entries={data} label="Recent activity" />
  if (error) return <LoadError error={error} retry={reload} />
  return <RowSkeletons count={4} label="Loading recent activity" />
}

function statsOf({ users, courses, assignments, submissions, grades_today }: Dashboard): Stat[] {
  const some = (count: number, words: string) => (count > 0 ? `${formatCount(count)} ${words}` : undefined)
  const admins = plural(users.admins, 'administrator')
  const off = some(users.deactivated, 'deactivated')
  return [
    { label: 'Users', value: formatCount(users.total), note: off ? `${admins}, ${off}` : admins },
    {
      label: 'Active now',
      value: formatCount(users.active_now),
      note: `${formatCount(users.active_today)} in 24 hours`,
    },
    { label: 'Students', value: formatCount(users.students) },
    {
      label: 'Instructors',
      value: formatCount(users.instructors),
      note: some(users.pending, 'waiting for approval'),
    },
    { label: 'Courses', value: formatCount(courses) },
    {
      label: 'Assignments',
      value: formatCount(assignments.total),
      note: `${formatCount(assignments.published)} published`,
    },
    {
      label: 'Submissions',
      value: formatCount(submissions.total),
      note: some(submissions.failed, 'failed'),
    },
    { label: 'Grades suggested', value: formatCount(grades_today), note: 'in 24 hours' },
  ]
}
