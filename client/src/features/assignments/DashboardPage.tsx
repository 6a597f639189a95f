import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function DashboardPage() {
  return (
    <Page>
      <PageHeader title="DashboardPage" />
    </Page>
  )
}
