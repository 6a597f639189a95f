import { Skeleton } from '@mantine/core'
import classes from './PdfSkeleton.module.css'

export function PdfSkeleton() {
  return (
    <div className={classes.root} role="status" aria-label="Loading the paper">
      <Skeleton className={classes.sheet} radius={2} />
    </div>
  )
}
