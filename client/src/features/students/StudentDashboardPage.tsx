import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function StudentDashboardPage() {
  return (
    <Page>
      <PageHeader title="StudentDashboardPage" />
    </Page>
  )
}
