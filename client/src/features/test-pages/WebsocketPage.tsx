import { Link } from 'react-router-dom'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { CompletionTester } from './CompletionTester.tsx'
import { SocketTester } from './SocketTester.tsx'
import classes from './TestPage.module.css'
import { TestPagesGuard } from './TestPagesGuard.tsx'

/** For developers: the raw websockets by hand. */
export function WebsocketPage() {
  return (
    <TestPagesGuard>
      <Page width="standard">
        <PageHeader
          title="Websocket Tester"
          subtitle={
            <>
              For developers. See also <Link to="/test/error-boundaries">the error boundaries</Link>.
            </>
          }
        />
        <div className={classes.panels}>
          <Panel title="Connection">
            <SocketTester />
          </Panel>
          <Panel title="Test notification">
            <CompletionTester />
          </Panel>
        </div>
      </Page>
    </TestPagesGuard>
  )
}
