import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function SubmissionsPage() {
  return (
    <Page>
      <PageHeader title="SubmissionsPage" />
    </Page>
  )
}
