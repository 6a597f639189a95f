import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function PrivacyPage() {
  return (
    <Page>
      <PageHeader title="PrivacyPage" />
    </Page>
  )
}
