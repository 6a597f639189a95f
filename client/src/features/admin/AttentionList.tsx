import type { AttentionItem } from '@assay/shared/admin.ts'
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { PanelList } from '../../components/layout/Panel.tsx'
import { formatDateTime } from '../../lib/format.ts'
import classes from './AttentionList.module.css'

/** Where something can be done about it, if it can be here. */
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

const badges = {
  bad: { status: 'failed', word: 'Failing' },
  warn: { status: 'flagged', word: 'Warning' },
} as const

/** What needs an administrator now, the worst first. */
export function AttentionList({ items }: { items: AttentionItem[] }) {
  if (items.length === 0)
    return (
      <p className={classes.none}>
        <IconCircleCheck size={18} aria-hidden /> Nothing needs attention.
      </p>
    )
  return (
    <PanelList label="Needs attention">
      {items.map((item) => (
        <AttentionRow key={`${item.kind} ${item.title}`} item={item} />
      ))}
    </PanelList>
  )
}

function AttentionRow({ item: { kind, severity, title, advice, since } }: { item: AttentionItem }) {
  const link = links[kind]
  const { status, word } = badges[severity]
  return (
    <li className={classes.row}>
      <div className={classes.badge}>
        <StatusBadge status={status}>{word}</StatusBadge>
      </div>
      <div className={classes.words}>
        <strong className={classes.title}>{title}</strong>
        <span className={classes.advice}>
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
        <Button component={Link} to={link.to} variant="default" aria-label={`${link.label}: ${title}`}>
          {link.label}
        </Button>
      )}
    </li>
  )
}
