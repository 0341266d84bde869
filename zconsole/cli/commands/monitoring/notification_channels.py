"""Channels of the configuration: what is sent to each, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.notifications.alert_settings import (
    ChannelSettings,
    CommandSettings,
    MailSettings,
    WebhookSettings,
    read_secret,
)
from zconsole.base.secret import Secret
from zconsole.hosts.notify.http_post import HttpEndpoint, post
from zconsole.hosts.notify.local_program import run_program
from zconsole.hosts.notify.mail import Letter, MailRoute, SmtpSecurity, send
from zconsole.model.alert import Alert
from zconsole.model.finding import Severity
from zconsole.reports.json.json_line import Json, as_line
from zconsole.reports.notifications.alert_document import alert_document, alert_environment, message_id
from zconsole.reports.notifications.alert_in_words import body, title
from zconsole.reports.notifications.webhook_documents import (
    alertmanager_document,
    ntfy_address,
    ntfy_document,
    slack_document,
)
from zconsole.service.notifications.alertmanager_sync import AlertmanagerSync
from zconsole.service.notifications.delivery import MessageChannel

ALERTMANAGER: Final = "alertmanager"
API: Final = "/api/v2/alerts"


def least_of(settings: ChannelSettings) -> Severity:
    """The least severity that is sent to a channel."""
    return Severity[settings.least.upper()]


def is_alertmanager(settings: ChannelSettings) -> bool:
    """Whether a channel is told what holds, again and again, and not messages."""
    return isinstance(settings.to, WebhookSettings) and settings.to.format == ALERTMANAGER


def channel_of(settings: ChannelSettings) -> MessageChannel:
    """The channel; its files of secrets are read at each message, so that they can be changed."""
    return MessageChannel(settings.name, _sender(settings.to))


def _sender(to: CommandSettings | MailSettings | WebhookSettings) -> Callable[[Alert], None]:
    match to:
        case CommandSettings():
            return _command(to)
        case MailSettings():
            return _mail(to)
        case WebhookSettings():
            return _webhook(to)


def sync_of(settings: ChannelSettings, say: Callable[[str], None], told: Sequence[Alert]) -> AlertmanagerSync:
    """The sender of what holds to an Alertmanager; `told` is what was told before."""
    hook = settings.to
    assert isinstance(hook, WebhookSettings)  # noqa: S101  # is_alertmanager

    def send_all(holding: Sequence[DampedState], over: Sequence[Alert], now: float, valid_s: float) -> None:
        _post_alerts(hook, alertmanager_document(holding, over, now, valid_s=valid_s))

    return AlertmanagerSync(settings.name, least_of(settings), send_all, say, told)


def _command(to: CommandSettings) -> Callable[[Alert], None]:
    def run(alert: Alert) -> None:
        run_program(to.argv, _line(alert_document(alert)), alert_environment(alert))

    return run


def _mail(to: MailSettings) -> Callable[[Alert], None]:
    def mail(alert: Alert) -> None:
        password = None if to.password_file is None else read_secret(to.password_file)
        route = MailRoute(to.host, to.port, SmtpSecurity(to.security), to.user, password, to.sendmail)
        subject = f"[zconsole] {title(alert)}"
        send(route, Letter(to.sender, to.to, subject, body(alert), message_id(alert), alert.at))

    return mail


def _webhook(to: WebhookSettings) -> Callable[[Alert], None]:
    def hook(alert: Alert) -> None:
        match to.format:
            case "ntfy":
                server, topic = ntfy_address(_address(to).reveal())
                post(_endpoint(to, server), _line(ntfy_document(alert, topic)))
            case "slack":
                post(_endpoint(to), _line(slack_document(alert)))
            case "alertmanager":
                starts = alert.at if alert.since is None else alert.since
                holding = (DampedState(alert, starts),)
                _post_alerts(to, alertmanager_document(holding, (), alert.at, valid_s=60))
            case _:
                post(_endpoint(to), _line(alert_document(alert)))

    return hook


def _post_alerts(to: WebhookSettings, alerts: Json) -> None:
    base = _address(to).reveal().rstrip("/")
    post(_endpoint(to, base if base.endswith(API) else base + API), _line(alerts))


def _endpoint(to: WebhookSettings, url: str | None = None) -> HttpEndpoint:
    token = None if to.token_file is None else read_secret(to.token_file)
    return HttpEndpoint(_address(to) if url is None else Secret(url), token)


def _address(to: WebhookSettings) -> Secret:
    if to.url is not None:
        return to.url
    assert to.url_file is not None  # noqa: S101  # one of the two, by the configuration
    return read_secret(to.url_file)


def _line(document: Json) -> bytes:
    return as_line(document).encode()
