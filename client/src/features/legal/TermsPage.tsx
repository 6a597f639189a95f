import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function TermsPage() {
  return (
    <Page>
      <PageHeader title="TermsPage" />
    </Page>
  )
}
