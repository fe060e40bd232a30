import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

walk('a newcomer asks an example, sees why, and asks on', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.getByRole('button', { name: v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'), exact: true }).click();
  await v.settled();
  assert.match(v.page.url(), /\/c\/[0-9a-f-]{36}$/);
  const turn = v.turns.last();
  const bars = await turn.locator('svg rect.bar').count();
  assert.ok(bars > 2, 'there is a chart');
  // The chart's twin.
  await v.tab('표', 'Table', turn).click();
  assert.equal(await turn.locator('tbody tr').count(), bars);
  await v.tab('SQL', 'SQL', turn).click();
  assert.match(await turn.locator('pre').first().innerText(), /SELECT[\s\S]*FROM logs[\s\S]*deleted = FALSE/);
  // The steps are there, each once.
  await turn.locator('details summary').first().click();
  assert.equal(await turn.locator('details ol li').count(), 9);
  const next = turn.locator('button.chip').first();
  const question = await next.innerText();
  assert.match(question, lang === 'ko' ? /[가-힣]/ : /^[ -~]+$/);
  await next.click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  assert.equal(await v.turns.last().getAttribute('aria-label'), question);
  await v.leave();
});

walk('a vague question is asked back, with chips and a time of one’s own', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('조금 전 에러 로그 보여줘', 'show me the error logs from a while ago'));
  await v.settled();
  const box = v.turns.last().locator('section.card', { hasText: v.say('조금만 더 알려 주세요', 'A little more, please') });
  await box.waitFor();
  // It survives a reload.
  await v.page.reload();
  await box.waitFor();
  const service = box.getByRole('button', { name: 'billing' });
  if (await service.count()) await service.click();
  await box.locator('button.chip', { hasText: '…' }).click();
  const [from, to] = [box.locator('input[type=datetime-local]').first(), box.locator('input[type=datetime-local]').last()];
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  await from.fill(`${day}T03:00`);
  await to.fill(`${day}T01:00`);
  assert.ok(await v.button('적용', 'Apply', box).isDisabled(), 'a range that ends before it begins');
  await to.fill(`${day}T23:30`);
  await v.button('적용', 'Apply', box).click();
  const go = v.button('계속', 'Continue', box);
  if (await go.count()) await go.click();
  await v.page.waitForFunction(() => !document.querySelector('article fieldset'));
  await v.settled();
  const turn = v.turns.last();
  const sql = turn.locator('pre').first();
  if (!(await sql.count())) await v.tab('SQL', 'SQL', turn).click();
  assert.match(await turn.locator('pre').first().innerText(), new RegExp(`${day} 03:00`));
  await v.leave();
});

walk('SQL is edited, checked by the guard, and refused with a reason', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 7일 레벨별 로그 수', 'number of logs by level in the last 7 days'));
  await v.settled();
  const first = v.turns.last();
  await v.tab('SQL', 'SQL', first).click();
  await v.button('SQL 고치기', 'Edit SQL', first).click();
  const editor = first.getByRole('textbox', { name: v.say('실행할 SQL', 'SQL to run') });
  await editor.fill('delete from logs');
  await v.button('안전 검사 후 실행', 'Check and run', first).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  const refused = v.turns.last();
  assert.match(await refused.locator('.problem').innerText(), /DELETE/);
  // The way on is right there: the query is open for editing.
  await refused.getByRole('textbox', { name: v.say('실행할 SQL', 'SQL to run') }).fill('select level, count(*) as n from logs group by 1 order by 2 desc');
  await v.button('안전 검사 후 실행', 'Check and run', refused).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  assert.ok((await v.turns.last().locator('svg rect.bar').count()) > 1);
  await v.leave();
});

walk('10,000 rows are scrolled, sorted, filtered and saved', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 7일 레벨별 로그 수', 'number of logs by level in the last 7 days'));
  await v.settled();
  await v.tab('SQL', 'SQL', v.turns.last()).click();
  await v.button('SQL 고치기', 'Edit SQL', v.turns.last()).click();
  await v.turns.last().getByRole('textbox').fill('select created_at, level, service, message from logs order by created_at');
  await v.button('안전 검사 후 실행', 'Check and run', v.turns.last()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  // It says what it leaves out, and shows more when it is asked to.
  await v.turns.last().getByText(v.say('1,000행까지만 보여 줍니다', 'Truncated: showing 1,000 of')).waitFor();
  await v.button('10,000행까지 보기', 'Show up to 10,000', v.turns.last()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  const turn = v.turns.last();
  const rows = Number(await turn.locator('table').getAttribute('aria-rowcount')) - 1;
  assert.equal(rows, 10_000);
  const drawn = () => turn.locator('tbody tr:not(.gap)').count();
  assert.ok((await drawn()) < 60, 'only what is in sight is drawn');
  // A frame takes as long as the screen allows, while it scrolls from end to end.
  const slow = await turn.locator('.box').evaluate(async (box) => {
    const times = [];
    let before = performance.now();
    for (let at = 0; at < 60; at += 1) {
      box.scrollTop = (box.scrollHeight / 60) * at;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      times.push(now - before);
      before = now;
    }
    return times.sort((a, b) => a - b)[30];
  });
  console.log(`     half of the frames while scrolling took less than ${slow.toFixed(1)} ms`);
  await turn.locator('.box').evaluate((box) => (box.scrollTop = box.scrollHeight));
  await turn.locator('tr[aria-rowindex="10001"]').waitFor();
  // Rows are walked through and opened with the keyboard.
  await turn.locator('.box').focus();
  await v.page.keyboard.press('Home');
  await v.page.keyboard.press('ArrowDown');
  await turn.locator('tr.at[aria-rowindex="3"]').waitFor();
  await v.page.keyboard.press('Enter');
  await v.page.getByRole('dialog', { name: v.say('행 자세히', 'Row details') }).waitFor();
  await v.page.keyboard.press('Escape');
  const head = turn.getByRole('button', { name: 'level', exact: true });
  await head.click();
  await head.click();
  assert.equal(await turn.locator('th').filter({ hasText: 'level' }).getAttribute('aria-sort'), 'descending');
  assert.match(await turn.locator('tbody tr:not(.gap)').first().innerText(), /FATAL|ERROR/);
  await turn.getByRole('searchbox').fill('error billing');
  const found = Number(await turn.locator('table').getAttribute('aria-rowcount')) - 1;
  assert.ok(found > 0 && found < rows, `${found} rows were found`);
  const download = v.page.waitForEvent('download');
  await v.button('CSV 내려받기', 'Download CSV', turn).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  assert.equal(csv.trimEnd().split('\r\n').length, 10_001);
  await v.leave();
});

walk('a chart changes its kind, a period is picked, a question is saved', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.getByRole('button', { name: new RegExp(v.say('기간', 'Period')) }).click();
  await v.page.getByRole('button', { name: v.say('최근 7일', 'Last 7 days'), exact: true }).click();
  await v.ask(v.say('일별 에러 추이', 'daily error trend'));
  await v.settled();
  const turn = v.turns.last();
  await turn.locator('canvas').waitFor();
  assert.ok((await v.painted(turn)) > 0, 'there is a line');
  const days = await v.readings(turn);
  assert.ok(days.length >= 6 && days.length <= 9, `${days.length} days`);
  await v.button('막대', 'Bars', turn).click();
  await turn.locator('canvas').waitFor();
  // Of the first day only its end lies in the last seven: how many lines that has depends on the hour, and a column may be too low to be seen.
  const heights = days.map((day) => Number(day.match(/: ([\d,.]+)$/)[1].replaceAll(',', '')));
  const [seen, tall] = [await v.painted(turn), heights.filter((height) => height > Math.max(...heights) / 20).length];
  assert.ok(tall >= 6 && seen >= tall && seen <= heights.filter((height) => height > 0).length, `${seen} columns for ${days.join(', ')}`);
  const label = await turn.getByRole('img').getAttribute('aria-label');
  assert.match(label, v.say(/표 탭/, /table tab/) instanceof RegExp ? v.say(/표 탭/, /table tab/) : /./);
  await v.button('질문 저장', 'Save question', turn).click();
  // A range of one's own, by the clocks of another zone: the bounds that are sent are those of that zone.
  await v.page.getByRole('button', { name: new RegExp(v.say('기간', 'Period')) }).click();
  const picker = v.page.getByRole('dialog');
  const [from, to] = [picker.locator('input').first(), picker.locator('input').last()];
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await from.fill(`${day}T09:00`);
  await to.fill(`${day}T21:00`);
  await picker.getByLabel(v.say('시간대', 'Time zone')).selectOption({ label: 'UTC' });
  assert.deepEqual([await from.inputValue(), await to.inputValue()], [`${day}T00:00`, `${day}T12:00`], 'the same moments');
  await v.button('적용', 'Apply', picker).click();
  const period = v.page.getByRole('button', { name: new RegExp(v.say('기간', 'Period')) });
  assert.match(await period.innerText(), /00:00 ~ .*12:00 · UTC$/);
  const sent = v.page.waitForRequest((request) => request.url().endsWith('/runs/stream'));
  await v.ask(v.say('서비스별 에러 건수', 'errors by service'));
  const { input } = (await sent).postDataJSON();
  assert.deepEqual([input.timezone, input.time_range_structured.absolute], ['UTC', { start: `${day}T00:00:00+00:00`, end: `${day}T12:00:00+00:00` }]);
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  await v.turns.last().getByText(v.say('시간대 UTC', 'Time zone UTC')).waitFor();
  await v.turns.first().getByText(v.say('시간대 KST (UTC+9)', 'Time zone KST (UTC+9)')).waitFor();
  await v.button('새 대화', 'New conversation').click();
  const kept = v.page.getByRole('button', { name: v.say('일별 에러 추이', 'daily error trend'), exact: true });
  await kept.waitFor();
  // By its name: whoever walks beside this one in another language has saved one, too.
  await v.button('저장한 질문 지우기: 일별 에러 추이', 'Remove saved question: daily error trend').click();
  await kept.waitFor({ state: 'detached' });
  await v.leave();
});

walk('the period picker does not silently beat the words of a question: the person is asked which', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.getByRole('button', { name: new RegExp(v.say('기간', 'Period')) }).click();
  await v.page.getByRole('button', { name: v.say('최근 1시간', 'Last hour'), exact: true }).click();
  await v.ask(v.say('최근 7일 레벨별 로그 수', 'number of logs by level in the last 7 days'));
  const box = v.turns.last().locator('section.card', { hasText: v.say('고른 기간이 다릅니다', 'another period than the one that was picked') });
  await box.waitFor();
  const chips = await box.locator('button.chip').allInnerTexts();
  assert.deepEqual(chips.slice(0, 2), [v.say('질문대로: 최근 7일', 'as asked: the last 7 days'), v.say('고른 기간: 최근 1시간', 'as picked: the last 1 hour')]);
  await v.accessible('a question about two periods');
  await v.shoot(`period-conflict-${lang}`);
  await v.fits(360);
  await v.open1280();
  await box.locator('button.chip').first().click();
  await box.waitFor({ state: 'detached' });
  await v.settled();
  await v.tab('SQL', 'SQL', v.turns.last()).click();
  assert.match(await v.turns.last().locator('pre').first().innerText(), /7 days/);
  await v.leave();
});

/** A part of a chart is looked at by dragging, and with the keyboard alone. */
async function zoomed(v, turn) {
  const range = turn.locator('.range');
  const all = await v.readings(turn);
  await v.drag(turn, 0.1, 0.7);
  await range.filter({ hasText: '~' }).waitFor();
  const part = await v.readings(turn);
  assert.ok(part.length >= 2 && part.length < all.length, `${part.length} of ${all.length} hours`);
  assert.ok(part.every((hour) => all.includes(hour)), 'with the values that they had');
  assert.deepEqual(await range.innerText(), [part[0], part.at(-1)].map((hour) => hour.slice(0, hour.indexOf(': '))).join(' ~ '));
  await v.shoot(`chart-zoomed-${v.lang}`);
  await turn.locator('.u-over').dblclick();
  await range.filter({ hasNotText: '~' }).waitFor({ state: 'attached' });
  assert.deepEqual(await v.readings(turn), all, 'a double click shows all of it');
  const [closer, wider] = [v.button('확대', 'Zoom in', turn), v.button('축소', 'Zoom out', turn)];
  await closer.press('Enter');
  await range.filter({ hasText: '~' }).waitFor();
  assert.ok((await v.readings(turn)).length < all.length);
  await v.accessible('a part of a chart');
  await wider.press('Enter');
  await closer.press('Enter');
  await v.button('전체 구간 보기', 'Show the whole range', turn).press('Enter');
  assert.deepEqual(await v.readings(turn), all);
}

/** Series are taken out of a chart and come back. */
async function picked(v, turn) {
  const first = v.series(turn).first();
  assert.ok((await v.painted(turn)) > 0);
  await first.click();
  await v.counts(v.series(turn, false), 1);
  assert.equal(await v.painted(turn), 0, 'its line is gone');
  assert.ok((await v.painted(turn, 2)) > 0, 'the others stay');
  assert.ok((await v.readings(turn)).every((hour) => !hour.includes('service-0 ')));
  await v.accessible('a series that is not drawn');
  await first.press('Enter');
  assert.ok((await v.painted(turn)) > 0, 'it is there again');
  // Whoever takes the last one out gets all of them back.
  const count = await v.series(turn).count();
  for (let at = 0; at < count; at += 1) await v.series(turn).nth(at).click();
  await v.counts(v.series(turn, true), count);
}

walk('hours without a line are drawn as zeros, and the smaller series open', async ({ browser, lang }) => {
  const hour = 3_600_000;
  const now = Math.floor(Date.now() / hour) * hour;
  const line = (service, ago, n) => ({ created_at: new Date(now - ago * hour + n * 1000).toISOString(), level: 'ERROR', service, log_type: 'BACKEND', message: `no ${n}` });
  // In two hours of six; and eight services, more than there are colours.
  const services = Array.from({ length: 8 }, (_, n) => `service-${n}`);
  const lines = services.flatMap((service, at) => [5, 1].flatMap((ago) => Array.from({ length: 9 - at }, (_, n) => line(service, ago, n))));
  const server = await Server.start({ lines });
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 6시간 시간별 에러 건수', 'errors by hour in the last 6 hours'));
  await v.settled();
  const turn = v.turns.last();
  await turn.locator('canvas').waitFor();
  const hours = await v.readings(turn);
  assert.ok(hours.length >= 6 && hours.length <= 7, `${hours.length} hours: ${hours}`);
  assert.equal(hours.filter((hour) => /: 0$/.test(hour)).length, hours.length - 2, `all but two are zeros: ${hours}`);
  await v.button('막대', 'Bars', turn).click();
  await turn.locator('canvas').waitFor();
  assert.equal(await v.painted(turn), 2, 'columns for the hours that have lines');
  // The table has what the query gave, and no more.
  await v.tab('표', 'Table', turn).click();
  assert.equal(await turn.locator('tbody tr:not(.gap)').count(), 2);
  await v.tab('차트', 'Chart', turn).click();
  await v.shoot(`chart-zeros-${lang}`);
  await v.ask(v.say('최근 6시간 시간별 서비스별 에러 건수', 'errors by hour and service in the last 6 hours'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  const next = v.turns.last();
  await next.locator('canvas').waitFor();
  await v.counts(v.series(next, true), 6);
  const more = next.locator('.legend .link');
  assert.equal(await more.innerText(), v.say('그 밖 2개 보기', 'Show 2 more'));
  await more.click();
  await v.counts(v.series(next, true), 8);
  assert.equal(await more.getAttribute('aria-expanded'), 'true');
  await v.accessible('all series');
  await v.shoot(`chart-others-${lang}`);
  await v.fits(360);
  await v.open1280();
  await more.click();
  await v.counts(v.series(next, true), 6);
  await zoomed(v, next);
  await picked(v, next);
  await v.leave();
  await server.end();
});
