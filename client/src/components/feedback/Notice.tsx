import { Loader } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import classes from './Notice.module.css'

interface Props {
  tone?: 'note' | 'warn' | 'bad'
  title?: string
  children: ReactNode
  actions?: ReactNode
  busy?: boolean
  ref?: Ref<HTMLDivElement>
}

export function Notice({ tone = 'note', title, children, actions, busy, ref }: Props) {
  const Icon = tone === 'note' ? IconInfoCircle : IconAlertTriangle
  return (
    <div
      ref={ref}
      className={classes.root}
      data-tone={tone}
      role={tone === 'bad' ? 'alert' : 'note'}
      tabIndex={ref ? -1 : undefined}
    >
      {busy ? (
        <Loader size={18} className={classes.icon} aria-hidden />
      ) : (
        <Icon size={18} className={classes.icon} aria-hidden />
      )}
      <div className={classes.words}>
        {title && <strong className={classes.title}>{title}</strong>}
        <div>{children}</div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  )
}

export function ErrorNotice({ error, fallback }: { error: ApiError | null | undefined; fallback: string }) {
  return error && <Notice tone="bad">{messageOf(error, fallback)}</Notice>
}
