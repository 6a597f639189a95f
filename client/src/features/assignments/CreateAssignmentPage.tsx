import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function CreateAssignmentPage() {
  return (
    <Page>
      <PageHeader title="CreateAssignmentPage" />
    </Page>
  )
}
