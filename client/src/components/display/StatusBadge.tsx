import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconClockExclamation,
  IconEye,
  IconFlag,
  IconLoader,
  IconLock,
  IconMinus,
  IconMoodSmile,
  IconPencil,
  IconStar,
  IconTrendingDown,
  IconTrendingUp,
} from '@tabler/icons-react'
import { AiIcon } from './Attribution.tsx'
import classes from './StatusBadge.module.css'

const statuses = {
  published: { Icon: IconEye, tone: 'good', word: 'Published' },
  draft: { Icon: IconCircleDashed, tone: 'quiet', word: 'Draft' },
  graded: { Icon: IconCircleCheck, tone: 'good', word: 'Graded' },
  suggested: { Icon: AiIcon, tone: 'ai', word: 'Suggested' },
  reviewed: { Icon: IconCircleCheck, tone: 'good', word: 'Reviewed' },
  by_hand: { Icon: IconPencil, tone: 'warn', word: 'Grade by hand' },
  flagged: { Icon: IconFlag, tone: 'warn', word: 'Flagged' },
  failed: { Icon: IconAlertTriangle, tone: 'bad', word: 'Failed' },
  pending: { Icon: IconCircle, tone: 'quiet', word: 'Pending' },
  working: { Icon: IconLoader, tone: 'accent', word: 'Grading' },
  closed: { Icon: IconLock, tone: 'quiet', word: 'Closed' },
  submitted: { Icon: IconCircleCheck, tone: 'accent', word: 'Submitted' },
  overdue: { Icon: IconClockExclamation, tone: 'bad', word: 'Overdue' },
  upcoming: { Icon: IconClock, tone: 'warn', word: 'Upcoming' },
  improving: { Icon: IconTrendingUp, tone: 'good', word: 'Improving' },
  stable: { Icon: IconMinus, tone: 'quiet', word: 'Stable' },
  declining: { Icon: IconTrendingDown, tone: 'warn', word: 'Declining' },
  excellent: { Icon: IconStar, tone: 'good', word: 'Excellent' },
  good: { Icon: IconMoodSmile, tone: 'good', word: 'Good' },
  fair: { Icon: IconMinus, tone: 'warn', word: 'Fair' },
  needs_improvement: { Icon: IconAlertTriangle, tone: 'bad', word: 'Needs Improvement' },
} as const

export type Status = keyof typeof statuses

export function StatusBadge({ status, children }: { status: Status; children?: string }) {
  const { Icon, tone, word } = statuses[status]
  return (
    <span className={classes.root} data-tone={tone} data-status={status}>
      <Icon size={15} aria-hidden />
      {children ?? word}
    </span>
  )
}
