import { type AttentionItem, getAdminDashboard, type Health, listAudit } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react'
import { LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { type Stat, Stats } from '../../components/display/Stats.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import {
  CardSkeletons,
  Loaded,
  Page,
  PageHeader,
  Panel,
  PanelList,
  RowSkeletons,
} from '../../components/layout/Page.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { formatCount, formatDateTime, formatDuration, plural } from '../../lib/format.ts'
import classes from './AdminDashboardPage.module.css'
import { AuditList } from './audit/AuditList.tsx'

type Dashboard = ReplyOf<typeof getAdminDashboard>

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
            <SecondaryButton
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={dashboard.refreshing && dashboard.data !== undefined}
              onClick={() => void refresh()}
            >
              Refresh
            </SecondaryButton>
            <LinkButton to="/admin/users">Manage Users</LinkButton>
            <LinkButton to="/admin/settings">System Settings</LinkButton>
          </>
        }
      />
      <Loaded query={dashboard} skeleton={<CardSkeletons count={8} height={92} label="Loading the dashboard" />}>
        {(data) => (
          <>
            <div className={classes.attention}>
              <Panel title="Needs attention">
                {dashboard.error && (
                  <p className="dim" role="status">
                    These figures could not be updated. They are as of the last time.
                  </p>
                )}
                {data.attention.length === 0 ? (
                  <p className={classes.none}>
                    <IconCircleCheck size={18} aria-hidden /> Nothing needs attention.
                  </p>
                ) : (
                  <PanelList label="Needs attention">
                    {data.attention.map((item) => (
                      <AttentionRow key={`${item.kind} ${item.title}`} item={item} />
                    ))}
                  </PanelList>
                )}
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
        )}
      </Loaded>
      <div className={classes.part}>
        <Panel
          title="Recent Activity"
          actions={
            <LinkButton to="/admin/audit" variant="subtle">
              Audit Log
            </LinkButton>
          }
        >
          <Loaded query={activity} skeleton={<RowSkeletons count={4} label="Loading recent activity" />}>
            {(data) =>
              data.length === 0 ? (
                <p className="dim">No activity yet.</p>
              ) : (
                <AuditList entries={data} label="Recent activity" />
              )
            }
          </Loaded>
        </Panel>
      </div>
    </Page>
  )
}

function statsOf({ users, courses, assignments, submissions, grades_today }: Dashboard): Stat[] {
  const some = (count: number, words: string) => (count > 0 ? `${formatCount(count)} ${words}` : undefined)
  const admins = plural(users.admins, 'administrator')
  const off = some(users.deactivated, 'deactivated')
  const stat = (label: string, count: number, note?: string) => ({ label, value: formatCount(count), note })
  return [
    stat('Users', users.total, off ? `${admins}, ${off}` : admins),
    stat('Active now', users.active_now, `${formatCount(users.active_today)} in 24 hours`),
    stat('Students', users.students),
    stat('Instructors', users.instructors, some(users.pending, 'waiting for approval')),
    stat('Courses', courses),
    stat('Assignments', assignments.total, `${formatCount(assignments.published)} published`),
    stat('Submissions', submissions.total, some(submissions.failed, 'failed')),
    stat('Grades suggested', grades_today, 'in 24 hours'),
  ]
}

const links: Partial<Record<AttentionItem['kind'], { to: string; label: string }>> = {
  grader: { to: '/admin/settings/model', label: 'AI model' },
  mail: { to: '/admin/settings', label: 'Settings' },
  disk: { to: '/admin/settings', label: 'Storage' },
  scores_refused: { to: '/admin/lms', label: 'LMSs' },
  lms_silent: { to: '/admin/lms', label: 'LMSs' },
  launches_refused: { to: '/admin/lms', label: 'LMSs' },
  lms_waiting: { to: '/admin/lms', label: 'Review' },
  instructors_waiting: { to: '/admin/users?account=pending', label: 'Review' },
}

function AttentionRow({ item: { kind, severity, title, advice, since } }: { item: AttentionItem }) {
  const link = links[kind]
  return (
    <li className={classes.row}>
      <div className={classes.badge}>
        <StatusBadge status={states[severity].status}>{severity === 'bad' ? 'Failing' : 'Warning'}</StatusBadge>
      </div>
      <div className={classes.words}>
        <strong className={classes.name}>{title}</strong>
        <span className="hint">
          {advice}
          {since && (
            <>
              {' '}
              Since <time dateTime={since}>{formatDateTime(since)}</time>.
            </>
          )}
        </span>
      </div>
      {link && (
        <LinkButton to={link.to} aria-label={`${link.label}: ${title}`}>
          {link.label}
        </LinkButton>
      )}
    </li>
  )
}

const names: Record<Health['part'], string> = {
  database: 'Database',
  papers: 'Paper reader',
  grader: 'AI grader',
  queue: 'Job queue',
  mail: 'Mail',
  disk: 'Disk',
  redis: 'Redis',
}

const states = {
  good: { status: 'graded', word: 'Healthy' },
  warn: { status: 'flagged', word: 'Needs attention' },
  bad: { status: 'failed', word: 'Failing' },
} as const

function HealthList({ health }: { health: Health[] }) {
  return (
    <PanelList label="System health">
      {health.map(({ part, state, detail }) => (
        <li key={part}>
          <div className={classes.words}>
            <span className={classes.name}>{names[part]}</span>
            <span className="hint">{detail}</span>
          </div>
          <StatusBadge status={states[state].status}>{states[state].word}</StatusBadge>
        </li>
      ))}
    </PanelList>
  )
}

const MAX_SHOWN = 5

function JobsPanel({ work }: Pick<Dashboard, 'work'>) {
  const rows = [
    ['Grading runs in progress', work.runs],
    ['Running jobs', work.running],
    ['Queued jobs', work.queued],
    ['Failed jobs (7 days)', work.failed.length],
  ] as const
  return (
    <PanelList label="Work">
      {rows.map(([name, count]) => (
        <li key={name}>
          <span className={classes.words}>{name}</span>
          <strong className="numbers">{formatCount(count)}</strong>
        </li>
      ))}
      {work.failed.slice(0, MAX_SHOWN).map((job) => (
        <li key={`${job.name} ${job.at}`}>
          <div className={classes.words}>
            <span className={classes.name}>{job.name.replace(/-/g, ' ')}</span>
            <span className="hint">
              {job.error} · <time dateTime={job.at}>{formatDateTime(job.at)}</time>
            </span>
          </div>
        </li>
      ))}
      {work.failed.length > MAX_SHOWN && (
        <li className="hint">and {plural(work.failed.length - MAX_SHOWN, 'more job')}. See the log.</li>
      )}
    </PanelList>
  )
}
