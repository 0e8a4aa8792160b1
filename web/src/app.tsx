import { useEffect, useState } from 'preact/hooks';
import { ClusterPage } from './cluster';
import { FleetPage } from './fleet';
import { lazy } from './lazy';
import { fleetHref, hrefOf, useRoute } from './router';
import type { Route } from './router';
import { SessionContext, readSession, useSigned } from './session';
import type { Signed } from './session';
import { FirstLook, Heading } from './shell';
import { SignInAgain, SignInPage, SignedInAlready, goBack } from './sign-in';
import { StuckPage } from './stuck';
import { language, languages, speak, t } from './text';
import type { Language } from './text';
import { chooseTheme, chosenTheme, themes } from './theme';
import type { Theme } from './theme';
import { UserMenu } from './user-menu';

const CreatePage = lazy(async () => (await import('./create')).CreatePage);
const ReceiptsPage = lazy(async () => (await import('./receipts')).ReceiptsPage);
const ReceiptPage = lazy(async () => (await import('./receipts')).ReceiptPage);
const AuditPage = lazy(async () => (await import('./audit')).AuditPage);
const StatisticsPage = lazy(async () => (await import('./statistics')).StatisticsPage);
const WorkItemsPage = lazy(async () => (await import('./work-items')).WorkItemsPage);
const WorkItemPage = lazy(async () => (await import('./work-items')).WorkItemPage);

/** The console: what is around the pages, and the page that the address names. */
export function App() {
  const [spoken, setSpoken] = useState<Language>(language);
  const route = useRoute();
  const signed = useSigned();
  const session = signed.state === 'in' || signed.state === 'ended' ? signed.session : undefined;
  useEffect(() => {
    if (session !== undefined) goBack();
  }, [session?.name]);
  return (
    // Another language renders all anew.
    <SessionContext.Provider key={spoken} value={session}>
      <button type="button" class="skip" onClick={skip}>
        {t('app.skip')}
      </button>
      <header class="top">
        <a class="brand" href={fleetHref}>
          Slipway
        </a>
        {session === undefined ? null : <Navigation route={route} />}
        <div class="preferences">
          <Preferences
            onSpeak={(chosen) => {
              speak(chosen, true);
              setSpoken(chosen);
            }}
          />
          <UserMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Content signed={signed} route={route} />
      </main>
    </SessionContext.Provider>
  );
}

/** A link to the place would be taken for a route. */
function skip(): void {
  document.getElementById('content')?.focus();
}

function Content({ signed, route }: { signed: Signed; route: Route }) {
  switch (signed.state) {
    case 'unknown':
      return <FirstLook error={signed.error} onRetry={() => void readSession()} />;
    case 'nobody':
      return <SignInPage />;
    case 'in':
    case 'ended':
      return (
        <>
          {/* Somebody else sees nothing of what the former one typed. */}
          <Page key={signed.session.name} route={route} />
          {signed.state === 'ended' ? <SignInAgain session={signed.session} /> : null}
        </>
      );
  }
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'fleet':
      return <FleetPage filters={route.filters} />;
    case 'cluster':
      return <ClusterPage key={`${route.namespace}/${route.name}`} namespace={route.namespace} name={route.name} />;
    case 'create':
      return <CreatePage />;
    case 'stuck':
      return <StuckPage />;
    case 'work-items':
      return <WorkItemsPage query={route.query} />;
    case 'work-item':
      return <WorkItemPage key={`${route.namespace}/${route.name}`} namespace={route.namespace} name={route.name} />;
    case 'receipts':
      return <ReceiptsPage query={route.query} />;
    case 'receipt':
      return <ReceiptPage key={route.flow} flow={route.flow} />;
    case 'audit':
      return <AuditPage query={route.query} />;
    case 'statistics':
      return <StatisticsPage query={route.query} />;
    case 'sign-in':
      return <SignedInAlready to={route.to} />;
    case 'missing':
      return (
        <div class="empty">
          <Heading title={t('missing.title')} />
          <a href={fleetHref}>{t('cluster.back')}</a>
        </div>
      );
  }
}

interface Place {
  title: 'nav.clusters' | 'nav.stuck' | 'nav.items' | 'nav.receipts' | 'nav.audit' | 'nav.statistics';
  href: string;
  pages: Route['page'][];
}

const places: Place[] = [
  { title: 'nav.clusters', href: fleetHref, pages: ['fleet', 'cluster', 'create'] },
  { title: 'nav.stuck', href: hrefOf({ page: 'stuck' }), pages: ['stuck'] },
  { title: 'nav.items', href: hrefOf({ page: 'work-items', query: {} }), pages: ['work-items', 'work-item'] },
  { title: 'nav.statistics', href: hrefOf({ page: 'statistics', query: {} }), pages: ['statistics'] },
  { title: 'nav.receipts', href: hrefOf({ page: 'receipts', query: {} }), pages: ['receipts', 'receipt'] },
  { title: 'nav.audit', href: hrefOf({ page: 'audit', query: {} }), pages: ['audit'] },
];

function Navigation({ route }: { route: Route }) {
  return (
    <nav class="main-nav" aria-label={t('app.nav')}>
      {places.map(({ title, href, pages }) => (
        <a key={title} href={href} aria-current={pages.includes(route.page) ? 'page' : undefined}>
          {t(title)}
        </a>
      ))}
      <a href="camunda/app/cockpit/">{t('app.cockpit')}</a>
      <a href="swagger-ui.html">{t('app.api')}</a>
    </nav>
  );
}

function Preferences({ onSpeak }: { onSpeak: (language: Language) => void }) {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <>
      <label>
        <span class="hidden">{t('app.language')}</span>
        <select
          value={language()}
          onChange={(event) => {
            onSpeak(event.currentTarget.value as Language);
          }}
        >
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="hidden">{t('app.theme')}</span>
        <select
          value={theme}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Theme;
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`app.theme.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
