"""The table of secrets that are recognisable by the words around them: addresses, options and arguments of commands, calls in code.

The rows are those of `text.secret_rules`, and the same holds for their patterns. They are for secrets that no name announces with an
operator (`password=…`): `text.secret_assignments` finds those.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secret_rules import NAME, TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.text.secret_rules import Rule

_VALUE = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*'|([^\s"'`|;&<>\\\x80-\xff]{4,256}+))"""
"""A word of a command, with quotes (also escaped ones) or without."""
_QUOTED = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*')"""
_GAP = r"[^\n|;&]{0,160}?"
"""Further words of the same command."""
_NAME = r"[^\s/?#\"'`<>\\,;()\[\]{}|^@:\x80-\xff]"
_AUTHORITY = r"[^\s/?#\"'`<>\\,;()\[\]{}|^\x80-\xff]"
_READER = r"(?:\bsudo (?:-[\w-]+ )*-\w*S|--password-stdin|\bchpasswd|\bpasswd --stdin|--passphrase-fd|--with-token|\bcryptsetup|\bkinit|\bsmbpasswd)"
"""Programs and options that read a password from standard input."""
_READERS = ("sudo", "-stdin", "chpasswd", "passphrase-fd", "with-token", "cryptsetup", "kinit", "smbpasswd")
_NUMBERED = r"(?=\\*[\"']?[^\s\"']{0,64}\d)"
"""Where a plain word is likely, only a value with a digit counts."""
_TAKING_P = str.split(
    "sshpass mongo cypher-shell cqlsh twine evil-winrm rdesktop psexec useradd usermod conan airflow unlock-keychain veracrypt crackmapexec"
    " netexec ncftp doveadm"
)
_WITH_P = (
    r"(?:sshpass|mongo\w*|(?:docker|podman|nerdctl|registry|az|acr|oc|cf) login|cypher-shell|cqlsh|twine|evil-winrm|rdesktop|psexec|user(?:add|mod)"
    r"|conan (?:user|remote login)|airflow users create|unlock-keychain|veracrypt|crackmapexec|netexec|ncftp\w{2,4}|doveadm pw)"
)
_ARGUMENT = r"(?:\\*[\"'][^\"'\n]{0,120}\\*[\"']|[$\w.]{1,60})"
_WORDS_OF_SECRETS = r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|(?:api|access|secret|private|auth)[_-]?key)"

ADDRESSES: tuple[Rule, ...] = (
    ("url", ("://",), 0, rf"://{_NAME}{{0,256}}+:({_AUTHORITY}{{3,256}})@", None, "RFC 3986, 3.2.1"),
    ("url", ("://",), 0, rf"://({_NAME}{{20,}}+)@", 2.5, "RFC 3986, 3.2.1"),
    (
        "url",
        ("://",),
        0,
        r"://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/|[\w-]{1,63}\.webhook\.office\.com/webhookb2/)([\w@/-]{24,}+)",
        None,
        "Slack, Discord, Microsoft Teams: incoming webhooks",
    ),
)  # fmt: skip
"""Matched at each `://` of a text."""
COMMANDS: tuple[Rule, ...] = (
    ("header", ("bearer",), 0, r"bearer[ \t=:\"'\\]{1,8}([^\s\"'`<>,;&|)}\]\\\x80-\xff]{16,}+)", 2.5, "RFC 6750"),
    ("option", (" login& -p", *(f"{program}& -p" for program in _TAKING_P)), 0,
     rf"\b{_WITH_P}{_GAP} (?-i:-p)[ =]?{_VALUE}", None, "manual pages of these programs"),
    ("option", ("mysql& -p", "mariadb& -p", "7z& -p"), 0, rf"\b(?:mysql|mariadb|7z){_GAP} (?-i:-p){_VALUE}", None, "mysql(1), 7z(1)"),
    ("option", ("rar & -p", "rar & -hp"), 0, rf"\b(?:un)?rar {_GAP} -h?p{_VALUE}", None, "rar"),
    ("option", ("mysqladmin",), 0, rf"mysqladmin{_GAP} password {_VALUE}", None, "mysqladmin(1)"),
    ("option", (" -pw ",), 0, rf"\b(?:plink|pscp|psftp|putty){_GAP} -pw {_VALUE}", None, "PuTTY"),
    ("option", ("swaks", "sendemail"), 0, rf"\b(?:swaks|sendemail){_GAP} (?:-ap|--auth-password|-xp) {_VALUE}", None, "swaks(1), sendEmail(1)"),
    ("option", ("pw &pdf",), 0, rf"\bpdf\w{{2,8}} {_GAP}(?:-[uo]pw|(?:user|owner|input)_pw) {_VALUE}", None, "pdftotext(1), pdftk(1)"),
    ("option", ("lftp",), 0, rf"\blftp{_GAP} -u ?[^\s,]{{1,64}},{_VALUE}", None, "lftp(1)"),
    *(("option", (f"snmp& -{letter.lower()} ",), 0, rf"\bsnmp\w{{2,10}}{_GAP} (?-i:-{letter}) {_VALUE}", None, "snmpcmd(1)") for letter in "AXc"),
    ("option", ("slappasswd& -s", "ldappasswd& -s"), 0, rf"\b(?:sla|lda)ppasswd{_GAP} (?-i:-s) ?{_VALUE}", None, "slappasswd(8), ldappasswd(1)"),
    ("option", ("openssl passwd",), 0, rf"openssl passwd (?:-\w+ ){{0,4}}(?![-(]){_VALUE}", None, "openssl-passwd(1)"),
    ("option", ("-generic-password", "-internet-password"), 0, rf"-(?:generic|internet)-password{_GAP} -w {_VALUE}", None, "macOS: security(1)"),
    ("option", ("radtest",), 0, rf"radtest (?:-\w+ \S+ )?\S{{1,64}} {_VALUE}", None, "radtest(1)"),
    ("option", (" login ",), 0,
     rf"\b(?:cargo|vault|wandb|railway|bw) login {_NUMBERED}(?!-)(?:[^\s@]+@\S+ )?{_VALUE}", None, "cargo-login(1), vault, wandb, bw"),
    ("option", ("unseal ", "bw unlock", "snyk auth", "authtoken ", "setapikey"), 0,
     rf"(?:\bunseal|\bbw unlock|\bsnyk auth|\bngrok(?: config)? (?:add-)?authtoken|setapikey) {_NUMBERED}(?!-){_VALUE}", None, "vault, bw, snyk, ngrok, nuget"),
    ("option", ("nuget& -k",), 0, rf"\bnuget push{_GAP} -k {_VALUE}", None, "dotnet nuget push"),
    ("option", ("config set", "configure set"), 0,
     rf"\bconfig(?:ure)? set (?:-\S+ ){{0,3}}\S{{0,80}}?{_WORDS_OF_SECRETS} {_VALUE}", None, "aws, npm, yarn, pulumi: configuration commands"),
    ("option", ("http-basic.", "pypi-token."), 0,
     rf"\b(?:http-basic\.\S{{1,80}} \S{{1,64}}|pypi-token\.\S{{1,80}}) {_VALUE}", None, "poetry, composer: config"),
    ("option", ("secret set", "variable set"), 0, rf"\b(?:secret|variable) set \S{{1,64}} {_GAP}(?:-b|--body|-v|--value)[ =]{_VALUE}", None, "gh, glab"),
    ("option", ("net use",), 0, rf"\bnet use (?:\S{{1,4}} )?\\\\\S{{1,200}} (?!/){_VALUE}", None, "Windows: net use"),
    ("option", ("http -a", "https -a", "xh -a", "--auth ", "etcdctl"), 0,
     rf"\b(?:https?|xh|etcdctl){_GAP} (?:-a|--auth|--user)[ =]\\*[\"']?[\w.@+-]{{1,64}}:{_VALUE}", None, "HTTPie, etcdctl"),
    ("option", ("bundle config",), 0, rf"\bbundle config (?:set )?(?:--\w+ )?[\w.-]{{3,80}} [\w.@+-]{{1,64}}:{_VALUE}", None, "bundle-config(1)"),
    ("option", ("drush&password",), 0, rf"\bdrush{_GAP}\buser[:-]password \S{{1,64}} {_VALUE}", None, "drush"),
    ("header", ("_gitlab_session=", "sessid=", "sessionid=", "connect.sid="), 0,
     r"(?:_gitlab_session|phpsessid|jsessionid|\bsessionid|connect\.sid)=([\w%.~-]{20,}+)", 2.5, "cookies of GitLab, PHP, Java, Django, Express"),
    ("option", ("sonar.login",), 0, r"sonar\.login[=:] ?([0-9a-f]{40})", None, "SonarQube: analysis parameters"),
    ("assignment", ("with_api_key",), 0, r"with_api_key\\*\"[^\n]{0,40}?\[ ?\\*\"(\d{1,4}-[A-Za-z0-9]{64})", None, "TrueNAS: WebSocket API"),
    ("option", ("oauth2-bearer",), 0, rf"--oauth2-bearer[ =]{_VALUE}", None, "curl(1)"),
    ("option", ("contribsys",), 0, r"contribsys__com[=: \"'\\]{1,8}([0-9a-f]{8}:[0-9a-f]{8})", None, "Sidekiq: commercial packages"),
    ("assignment", ("chpasswd:",), 0,
     r"chpasswd:[\s{]*(?:\\n\s*)?list:[\s|>\[\"'\\-]{1,40}?[\w.-]{1,32}:([^\s\"'}\],\\]{4,128}+)", None, "cloud-init: chpasswd"),
    ("option", ("requirepass", "masterauth"), 0, rf"\b(?:requirepass|masterauth) {_VALUE}", None, "redis.conf"),
    ("option", ("assword&send ",), 0, r"assword[^\n]{0,120}?(?:\n[^\n]{0,40}?)?\bsend (?:-- )?\\*\"([^\"\\\n]{4,128}+)\\++[rn]", None, "expect(1)"),
    ("header", ("auth plain", "auth login"), 0, r"\bauth (?:plain|login) ([a-z0-9+/]{12,}+=*)", None, "RFC 4954"),
    ("url", ("?key=", "&key="), 0, r"[?&]key=([\w-]{16,}+)", 3.0, "Google Maps and others: key as a parameter"),
    ("url", ("jdbc:oracle",), 0, r"jdbc:oracle:\w{2,8}:\w{1,64}/([^\s@\"'/]{3,64}+)@", None, "Oracle: JDBC thin URL"),
    ("assignment", (":5432:", ":*:"), 0, r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{4,128}+)$", None, "PostgreSQL: .pgpass"),
    ("assignment", ("smtp",), 0, r"(?m)\[?\bsmtp[\w.-]{2,80}\]?(?::\d{2,5})?[ \t]+[^\s:]{1,80}:([^\s:/]{4,128}+)$", None, "Postfix: smtp_sasl_password_maps"),
    ("assignment", ("auth=(", "basicauth(", "basic_auth(", "basicauth ("), 0,
     rf"auth ?=? ?\( ?(?:\\*[\"'][^\"'\n]{{0,80}}\\*[\"']|[\w.]{{1,40}}) ?, ?{_QUOTED}", None, "requests, net/http: basic authentication"),
    ("assignment", ("networkcredential", "directoryentry", "mysqli", "pdo(", "getconnection", "_connect(", "ldap_bind"), 0,
     rf"(?:networkcredential|directoryentry|mysqli|\bpdo|getconnection|\w_connect|ldap_bind) ?\( ?(?:{_ARGUMENT} ?, ?){{1,2}}{_NUMBERED}{_QUOTED}", None,
     ".NET, PHP, JDBC: calls that take a name and a password"),
    ("assignment", ("buildconfigfield", "resvalue"), 0,
     rf"(?:buildconfigfield|resvalue)[ (]{{1,3}}{_ARGUMENT} ?, ?\\*[\"']\w{{0,40}}{_WORDS_OF_SECRETS}\w{{0,20}}\\*[\"'] ?, ?{_QUOTED}", None,
     "Android: build fields"),
    ("assignment", ("login(",), 0,
     rf"\blogin\( ?(?:\\*[\"'][^\"'\n]{{1,80}}\\*[\"']|\w{{1,40}}) ?, ?{_NUMBERED}{_QUOTED} ?\)", None, "smtplib, ftplib: login"),
    ("assignment", ("jwt.",), 0,
     rf"\bjwt\.(?:sign|verify|encode|decode)\([^\n]{{1,200}}?, ?(?!\\*[\"'][a-z]{{2}}\d{{3}}\\*[\"']){_QUOTED} ?[,)]", None, "jsonwebtoken, PyJWT"),
    ("assignment", ("password for ", "passphrase for "), 0,
     rf"pass(?:word|phrase) for [^\n:(\[]{{1,60}}: ?{_NUMBERED}(?!/){_VALUE}", None, "prompts of ssh, sudo, git"),
    ("assignment", ("password for ",), 0, rf"password for [^\n]{{1,60}}? is {_NUMBERED}{_QUOTED}", None, "prose"),
    ("assignment", ("and password ", "with password "), 0, rf"\b(?:and|with)(?: the)? password {_NUMBERED}{_VALUE}", None, "prose"),
    ("assignment", ("name&value",), 0,
     rf"name\\*\"? ?[:=] ?\\*[\"']?[\w.-]{{0,60}}?{_WORDS_OF_SECRETS}\\*[\"']?,?\s{{1,24}}\\*\"?value\\*\"? ?[:=] ?{_VALUE}", None,
     "Kubernetes, ECS, XML: name and value"),
    ("assignment", ("key=&value=",), 0,
     rf"key=\\*[\"'][\w.:-]{{0,60}}?{_WORDS_OF_SECRETS}\\*[\"'] {{1,8}}value={_QUOTED}", None, "NuGet, .NET: <add key= value=>"),
    ("option", ("zip& -p", "sqlcmd& -p", "bcp& -p", "ipmitool& -p", "mosquitto& -p"), 0,
     rf"(?:zip|sqlcmd|bcp|ipmitool|mosquitto_\w{{3}}){_GAP} (?-i:-P) ?{_VALUE}", None, "zip(1), sqlcmd, ipmitool(1), mosquitto_pub(1)"),
    ("option", ("redis-cli& -a",), 0, rf"redis-cli{_GAP} -a {_VALUE}", None, "redis-cli"),
    ("option", ("openssl& -k", "openssl&pass:"), 0,
     rf"openssl{_GAP} -(?:k |(?:pass|passin|passout) \\*[\"']?pass:){_VALUE}", None, "openssl-enc(1), openssl-passphrase-options(1)"),
    ("option", ("ldap& -w",), 0, rf"\bldap\w{{3,9}}{_GAP} (?-i:-w) ?{_VALUE}", None, "ldapsearch(1)"),
    ("option", ("htpasswd",), 0, rf"htpasswd (?:-\w+ ){{0,4}}(?:-\w*n\w* |\S{{1,200}} )\S{{1,64}} {_VALUE}", None, "htpasswd(1)"),
    ("option", ("smbclient&%", "rpcclient&%"), 0, rf"(?:smb|rpc)client{_GAP} -U ?\\*[\"']?[^\s%\"']{{1,64}}%{_VALUE}", None, "smbclient(1)"),
    ("option", ("ssh-keygen",), 0, rf"ssh-keygen{_GAP} (?-i:-[NP]) {_VALUE}", None, "ssh-keygen(1)"),
    ("option", ("storepass", "keypass"), 0, rf"-\w{{0,8}}(?:store|key)pass {_VALUE}", None, "keytool"),
    ("option", ("curl& -u", "curl&-user"), 0,
     rf"\bcurl[^\n|;]{{0,400}}? (?-i:-u|--user|--proxy-user|-U)[ =]?\\*[\"']?[\w.@+-]{{1,64}}:{_VALUE}", None, "curl(1)"),
    ("option", ("/pass:", "schtasks&/rp", "freerdp&/p:"), 0,
     rf"\b(?:cmdkey|schtasks|x?freerdp|net use){_GAP} (?:/pass:|/rp |/p:){_VALUE}", None, "cmdkey, schtasks, xfreerdp(1)"),
    ("option", ("net user",), 0, rf"net user \S{{1,64}} {_VALUE} /add", None, "Windows: net user"),
    ("option", ("alias set", "host add"), 0, rf"\bmc (?:alias set|config host add) \S+ \S+ \S+ {_VALUE}", None, "MinIO client"),
    ("option", ("rabbitmqctl",), 0, rf"rabbitmqctl{_GAP} (?:add_user|change_password) \S{{1,64}} {_VALUE}", None, "rabbitmqctl(8)"),
    ("option", ("wpa_passphrase", "nmcli"), 0,
     rf"(?:wpa_passphrase \S{{1,64}}|nmcli{_GAP} (?:password|wifi-sec\.psk)) {_VALUE}", None, "wpa_passphrase(8), nmcli(1)"),
    ("option", ("sqlplus", "sqlldr", "expdp", "impdp"), 0, rf"\b(?:sqlplus|sqlldr|expdp|impdp) {_GAP}\b[\w.]{{1,64}}/([^\s@\"'/]{{4,64}}+)@", None, "SQL*Plus"),
    ("option", tuple(f"{reader}&{writer}" for reader in _READERS for writer in ("echo", "printf")), 0,
     rf"\b(?:echo|printf)(?: -\w{{1,4}}| \\*[\"']%s(?:\\+n)?\\*[\"'])* {_VALUE} *\| *{_GAP}{_READER}", None, "sudo(8), chpasswd(8), docker login"),
    ("option", tuple(f"{reader}&<<<" for reader in _READERS), 0, rf"{_READER}[^\n|]{{0,80}}?<<< *{_VALUE}", None, "bash(1), here strings"),
    ("assignment", ("define(",), 0,
     rf"\bdefine\( *\\*[\"']\w{{0,60}}?(?:pass|password|passwd|pwd|secret|token|key|salt)\\*[\"'] *, *{_QUOTED}", None, "PHP: define"),
    ("assignment", ("identified by", "identified with", "identified as"), 0,
     rf"identified (?:with [\w\"'\\]{{1,40}} )?(?:by|as) (?:password )?{_QUOTED}", None, "MySQL, Oracle: CREATE USER"),
    ("assignment", ("password&create ", "password&alter "), 0,
     rf"\b(?:create|alter) (?:user|role|login)[^\n;]{{0,120}}?\bpassword *=? *{_QUOTED}", None, "PostgreSQL, SQL Server: CREATE ROLE, CREATE LOGIN"),
    ("assignment", ("convertto-securestring",), 0, rf"convertto-securestring (?:-string )?{_QUOTED}", None, "PowerShell: ConvertTo-SecureString"),
    ("assignment", ("psk=",), 0, rf"\bpsk={_QUOTED}", None, "wpa_supplicant.conf(5)"),
    ("assignment", ("kty",), 0, r"\bd\\*\" ?: ?\\*\"([\w-]{40,}+)\\*\"", 3.0, "RFC 7517, 7518 (JWK)"),
    ("assignment", ("private-lines",), 0, r"private-lines: \d+(?:\s|\\[rn])+((?:[A-Za-z0-9+/=]{4,}+(?:\s|\\[rn])*+)++)", None, "PuTTY: private key files"),
)  # fmt: skip
"""Only for texts that may be command lines. Keywords are searched in lower case; patterns ignore case and may match anywhere."""
PRIVATE_KEY = "private_key"
"""RFC 7468, and PGP blocks (RFC 4880, 6.2)."""
RULES = tuple(dict.fromkeys((*(rule[NAME] for rule in (*TOKENS, *ADDRESSES, *COMMANDS)), PRIVATE_KEY)))
"""The rule names that a mark can contain."""
