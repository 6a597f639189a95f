import { Skeleton } from '@mantine/core'
import { Page } from './Page.tsx'
import classes from './PageSkeleton.module.css'

export function PageSkeleton({ label = 'Loading' }: { label?: string }) {
  return (
    <Page>
      <Skeleton height={28} width="min(20rem, 70%)" radius="sm" />
      <Skeleton height={16} width="min(28rem, 90%)" mt={12} radius="sm" />
      <div className={classes.gap} />
      <RowSkeletons label={label} />
    </Page>
  )
}

export function CardSkeletons({ count = 6, height = 152, label }: { count?: number; height?: number; label: string }) {
  return (
    <div className={classes.cards} data-loading role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={height} radius="lg" />
      ))}
    </div>
  )
}

export function RowSkeletons({ count = 8, label }: { count?: number; label: string }) {
  return (
    <div className={classes.rows} data-loading role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={44} radius="sm" />
      ))}
    </div>
  )
}
