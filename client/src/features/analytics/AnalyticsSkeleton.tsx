import { Skeleton } from '@mantine/core'
import { Page } from '../../components/layout/Page.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import classes from './AnalyticsPage.module.css'
import cards from './SummaryCards.module.css'

/** The page before its figures: four cards, the chart beside the list, the table. */
export function AnalyticsSkeleton() {
  return (
    <Page>
      <Skeleton height={28} width="min(20rem, 70%)" radius="sm" />
      <Skeleton height={16} width="min(14rem, 60%)" mt={12} mb={32} radius="sm" />
      <div className={cards.cards}>
        {['average', 'completion', 'graded', 'trend'].map((card) => (
          <Skeleton key={card} height={92} radius="lg" />
        ))}
      </div>
      <div className={classes.columns}>
        <Skeleton height={320} radius="lg" />
        <Skeleton height={320} radius="lg" />
      </div>
      <RowSkeletons label="Loading analytics" />
    </Page>
  )
}
