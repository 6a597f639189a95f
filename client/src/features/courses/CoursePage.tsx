import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function CoursePage() {
  return (
    <Page>
      <PageHeader title="CoursePage" />
    </Page>
  )
}
