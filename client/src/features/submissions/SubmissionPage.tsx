import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function SubmissionPage() {
  return (
    <Page>
      <PageHeader title="SubmissionPage" />
    </Page>
  )
}
