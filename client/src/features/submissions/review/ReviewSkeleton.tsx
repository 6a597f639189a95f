import { Skeleton } from '@mantine/core'
import { PdfSkeleton } from '../../../components/pdf/PdfSkeleton.tsx'
import screen from './ReviewScreen.module.css'
import classes from './ReviewSkeleton.module.css'

export function ReviewSkeleton() {
  return (
    <div className={screen.root} data-fills>
      <div className={classes.bar}>
        <Skeleton height={22} width="24rem" maw="70%" radius="sm" />
      </div>
      <div className={screen.panes}>
        <div className={screen.paper}>
          <PdfSkeleton />
        </div>
        <div className={classes.card}>
          <GradeSkeleton />
        </div>
      </div>
    </div>
  )
}

export function GradeSkeleton() {
  return (
    <div className={classes.grade} role="status" aria-label="Loading the grade">
      <Skeleton height={40} width="60%" radius="sm" />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={64} radius="md" />
      ))}
    </div>
  )
}
