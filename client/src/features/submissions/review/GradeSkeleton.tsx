import { Skeleton } from '@mantine/core'
import classes from './GradeSkeleton.module.css'

export function GradeSkeleton() {
  return (
    <div className={classes.root} role="status" aria-label="Loading the grade">
      <Skeleton height={40} width="60%" radius="sm" />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={64} radius="md" />
      ))}
    </div>
  )
}
