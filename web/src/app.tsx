import { useState } from 'preact/hooks';
import { ClusterPage } from './cluster';
import { FleetPage } from './fleet';
import { ReceiptPage, ReceiptsPage } from './receipts';
import { hrefOf, noFilters, useRoute } from './router';
import type { Route } from './router';
import { Heading } from './shell';
import { StuckPage } from './stuck';
import { language, languages, speak, t } from './text';
import type { Language } from './text';
import { chooseTheme, chosenTheme, themes } from './theme';
import type { Theme } from './theme';

/** The console: what is around the pages, and the page that the address names. */
export function App() {
  const [spoken, setSpoken] = useState<Language>(language);
  const route = useRoute();
  return (
    // Another language renders all anew.
    <div key={spoken} class="shell">
      <button type="button" class="skip" onClick={skip}>
        {t('app.skip')}
      </button>
      <header class="top">
        <a class="brand" href={hrefOf({ page: 'fleet', filters: noFilters })}>
          Slipway
        </a>
        <Navigation route={route} />
        <Preferences
          onSpeak={(chosen) => {
            speak(chosen, true);
            setSpoken(chosen);
          }}
        />
      </header>
      <main id="content" tabIndex={-1}>
        <Page route={route} />
      </main>
    </div>
  );
}

/** A link to the place would be taken for a route. */
function skip(): void {
  document.getElementById('content')?.focus();
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'fleet':
      return <FleetPage filters={route.filters} />;
    case 'cluster':
      return <ClusterPage key={`${route.namespace}/${route.name}`} namespace={route.namespace} name={route.name} />;
    case 'stuck':
      return <StuckPage />;
    case 'receipts':
      return <ReceiptsPage namespace={route.namespace} name={route.name} />;
    case 'receipt':
      return <ReceiptPage key={route.flow} flow={route.flow} />;
    case 'missing':
      return (
        <div class="empty">
          <Heading title={t('missing.title')} />
          <a href={hrefOf({ page: 'fleet', filters: noFilters })}>{t('cluster.back')}</a>
        </div>
      );
  }
}

function Navigation({ route }: { route: Route }) {
  const here = (pages: Route['page'][]) => (pages.includes(route.page) ? 'page' : undefined);
  return (
    <nav aria-label={t('app.nav')}>
      <a href={hrefOf({ page: 'fleet', filters: noFilters })} aria-current={here(['fleet', 'cluster'])}>
        {t('nav.clusters')}
      </a>
      <a href={hrefOf({ page: 'stuck' })} aria-current={here(['stuck'])}>
        {t('nav.stuck')}
      </a>
      <a href={hrefOf({ page: 'receipts', namespace: '', name: '' })} aria-current={here(['receipts', 'receipt'])}>
        {t('nav.receipts')}
      </a>
      <a href="camunda/app/cockpit/">{t('app.cockpit')}</a>
      <a href="swagger-ui.html">{t('app.api')}</a>
    </nav>
  );
}

function Preferences({ onSpeak }: { onSpeak: (language: Language) => void }) {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <div class="preferences">
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
    </div>
  );
}
