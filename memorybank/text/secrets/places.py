"""The table of secrets that are recognisable by the words around them: addresses, options and arguments of commands, calls in code.

The rows are those of `formats`, and the same holds for their patterns. They are for secrets that no name announces with an
operator (`password=…`): `assignments` finds those.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.text.secrets.formats import Rule

_VALUE = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*'|([^\s"'`|;&<>\\\x80-\xff]{4,256}+))"""
"""A word of a command, with quotes (also escaped ones) or without."""
_QUOTED = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*')"""
_GAP = r"[^\n|;&]{0,160}?"
"""Further words of the same command."""
_NAME = r"[^\s/?#\"'`<>\\,;()\[\]{}|^@:\x80-\xff]"
_AUTHORITY = r"[^\s/?#\"'`<>\\,;()\[\]{}|^\x80-\xff]"
_READER = (
    r"(?:\bsudo (?:-[\w-]+ ){0,8}-\w*S|--passw(?:or)?d-(?:on-)?stdin|\bchpasswd|\bpasswd --stdin|(?:(?<=\| )|(?<=sudo ))(?:vnc)?passwd\b|--passphrase-fd"
    r"|--with-token|\bcryptsetup|\bkinit|\bsmbpasswd|\b(?:(?:docker|podman) secret create|gh secret set|gcloud secrets (?:create|versions add)"
    r"|wrangler (?:pages )?secret put|secret-tool store|vercel env add|pass insert|argon2))"
)
"""Programs and options that read a password from standard input."""
_NUMBERED = r"(?=\\*[\"']?[^\s\"']{0,64}\d)"
"""Where a plain word is likely, only a value with a digit counts."""
_WITH_P = (
    r"(?:sshpass|mongo\w*|(?:docker|podman|nerdctl|registry|az|acr|oc|cf) login|cypher-shell|cqlsh|twine|evil-winrm|rdesktop|psexec|user(?:add|mod)"
    r"|conan (?:user|remote login)|airflow users create|unlock-keychain|veracrypt|crackmapexec|netexec|ncftp\w{2,4}|doveadm pw|beeline)"
)
_ARGUMENT = r"(?:\\*[\"'][^\"'\n]{0,120}\\*[\"']|[$\w.]{1,60})"
_WORDS_OF_SECRETS = r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|(?:api|access|secret|private|auth)[_-]?key)"
PARTS: tuple[tuple[str, str], ...] = (
    ("«VALUE»", _VALUE),
    ("«QUOTED»", _QUOTED),
    ("«GAP»", _GAP),
    ("«USER»", _NAME),
    ("«PASSWORD»", _AUTHORITY),
    ("«READER»", _READER),
    ("«NUMBERED»", _NUMBERED),
    ("«WITH_P»", _WITH_P),
    ("«ARGUMENT»", _ARGUMENT),
    ("«SECRET»", _WORDS_OF_SECRETS),
)
"""(sign, what it stands for in the patterns of the tables below). Tables of constants alone cost a process nothing until a pattern is needed."""

ADDRESSES: tuple[Rule, ...] = (
    ("url", ("://",), 0, r"://«USER»{0,256}+:(«PASSWORD»{3,256})@", None, "RFC 3986, 3.2.1"),
    ("url", ("://",), 0, r"://(«USER»{20,}+)@", 2.5, "RFC 3986, 3.2.1"),
    (
        "url",
        ("://",),
        0,
        r"://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/|[\w-]{1,63}\.webhook\.office\.com/webhookb2/)([\w@/-]{24,}+)",
        None,
        "Slack, Discord, Microsoft Teams: incoming webhooks",
    ),
    ("url", ("://",), 0, r"://hooks\.zapier\.com/hooks/[a-z]{5,10}/(\d{3,12}/\w{5,})", None, "Zapier: webhooks"),
)  # fmt: skip
"""Matched at each `://` of a text."""
COMMANDS: tuple[Rule, ...] = (
    ("header", ("bearer",), 0, r"bearer[ \t=:\"'\\]{1,8}([^\s\"'`<>,;&|)}\]\\\x80-\xff]{16,}+)", 2.5, "RFC 6750"),
    ("option", (" login& -p", "sshpass& -p", "mongo& -p", "cypher-shell& -p", "cqlsh& -p", "twine& -p", "evil-winrm& -p", "rdesktop& -p", "psexec& -p",
      "useradd& -p", "usermod& -p", "conan& -p", "airflow& -p", "unlock-keychain& -p", "veracrypt& -p", "crackmapexec& -p", "netexec& -p",
      "ncftp& -p", "doveadm& -p", "beeline& -p"), 0,
     r"\b«WITH_P»«GAP» (?-i:-p)[ =]?«VALUE»", None, "manual pages of these programs"),
    ("option", ("mysql& -p", "mariadb& -p", "7z& -p"), 0, r"\b(?:mysql|mariadb|7z)«GAP» (?-i:-p)«VALUE»", None, "mysql(1), 7z(1)"),
    ("option", ("rar & -p", "rar & -hp"), 0, r"\b(?:un)?rar «GAP» -h?p«VALUE»", None, "rar"),
    ("option", ("mysqladmin&sql",), 0, r"mysqladmin«GAP» password «VALUE»", None, "mysqladmin(1)"),
    ("option", (" -pw ",), 0, r"\b(?:plink|pscp|psftp|putty)«GAP» -pw «VALUE»", None, "PuTTY"),
    ("option", ("swaks", "sendemail"), 0, r"\b(?:swaks|sendemail)«GAP» (?:-ap|--auth-password|-xp) «VALUE»", None, "swaks(1), sendEmail(1)"),
    ("option", ("pw &pdf",), 0, r"\bpdf\w{2,8} «GAP»(?:-[uo]pw|(?:user|owner|input)_pw) «VALUE»", None, "pdftotext(1), pdftk(1)"),
    ("option", ("lftp",), 0, r"\blftp«GAP» -u ?[^\s,]{1,64},«VALUE»", None, "lftp(1)"),
    ("option", ("snmp& -a ",), 0, r"\bsnmp\w{2,10}«GAP» (?-i:-A) «VALUE»", None, "snmpcmd(1)"),
    ("option", ("snmp& -x ",), 0, r"\bsnmp\w{2,10}«GAP» (?-i:-X) «VALUE»", None, "snmpcmd(1)"),
    ("option", ("snmp& -c ",), 0, r"\bsnmp\w{2,10}«GAP» (?-i:-c) «VALUE»", None, "snmpcmd(1)"),
    ("option", ("slappasswd& -s", "ldappasswd& -s"), 0, r"\b(?:sla|lda)ppasswd«GAP» (?-i:-s) ?«VALUE»", None, "slappasswd(8), ldappasswd(1)"),
    ("option", ("openssl passwd&pass",), 0, r"openssl passwd (?:-\w+ ){0,4}(?![-(])«VALUE»", None, "openssl-passwd(1)"),
    ("option", ("-generic-password&pass", "-internet-password&pass"), 0, r"-(?:generic|internet)-password«GAP» -w «VALUE»", None, "macOS: security(1)"),
    ("option", ("radtest",), 0, r"radtest (?:-\w+ \S+ )?\S{1,64} «VALUE»", None, "radtest(1)"),
    ("option", (" login &login",), 0,
     r"\b(?:cargo|vault|wandb|railway|bw) login «NUMBERED»(?!-)(?:[^\s@]+@\S+ )?«VALUE»", None, "cargo-login(1), vault, wandb, bw"),
    ("option", ("unseal ", "bw unlock", "snyk auth&auth", "authtoken &auth", "setapikey&key"), 0,
     r"(?:\bunseal|\bbw unlock|\bsnyk auth|\bngrok(?: config)? (?:add-)?authtoken|setapikey) «NUMBERED»(?!-)«VALUE»", None, "vault, bw, snyk, ngrok, nuget"),
    ("option", ("nuget& -k",), 0, r"\bnuget push«GAP» -k «VALUE»", None, "dotnet nuget push"),
    ("option", ("config set", "configure set"), 0,
     r"\bconfig(?:ure)? set (?:-\S+ ){0,3}\S{0,80}?«SECRET» «VALUE»", None, "aws, npm, yarn, pulumi: configuration commands"),
    ("option", ("http-basic.", "pypi-token."), 0,
     r"\b(?:http-basic\.\S{1,80} \S{1,64}|pypi-token\.\S{1,80}) «VALUE»", None, "poetry, composer: config"),
    ("option", ("secret set&secret", "variable set"), 0, r"\b(?:secret|variable) set \S{1,64} «GAP»(?:-b|--body|-v|--value)[ =]«VALUE»", None, "gh, glab"),
    ("option", ("net use",), 0, r"\bnet use (?:\S{1,4} )?\\\\\S{1,200} (?!/)«VALUE»", None, "Windows: net use"),
    ("option", ("http -a", "https -a", "xh -a", "--auth &auth", "etcdctl"), 0,
     r"\b(?:https?|xh|etcdctl)«GAP» (?:-a|--auth|--user)[ =]\\*[\"']?[\w.@+-]{1,64}:«VALUE»", None, "HTTPie, etcdctl"),
    ("option", ("bundle config",), 0, r"\bbundle config (?:set )?(?:--\w+ )?[\w.-]{3,80} [\w.@+-]{1,64}:«VALUE»", None, "bundle-config(1)"),
    ("option", ("drush&password",), 0, r"\bdrush«GAP»\buser[:-]password \S{1,64} «VALUE»", None, "drush"),
    ("header", ("_gitlab_session=", "sessid=", "sessionid=", "connect.sid=&connect"), 0,
     r"(?:_gitlab_session|phpsessid|jsessionid|\bsessionid|connect\.sid)=([\w%.~-]{20,}+)", 2.5, "cookies of GitLab, PHP, Java, Django, Express"),
    ("option", ("sonar.login&login",), 0, r"sonar\.login[=:] ?([0-9a-f]{40})", None, "SonarQube: analysis parameters"),
    ("assignment", ("with_api_key&key",), 0, r"with_api_key\\*\"[^\n]{0,40}?\[ ?\\*\"(\d{1,4}-[A-Za-z0-9]{64})", None, "TrueNAS: WebSocket API"),
    ("option", ("oauth2-bearer&auth",), 0, r"--oauth2-bearer[ =]«VALUE»", None, "curl(1)"),
    ("option", ("contribsys",), 0, r"contribsys__com[=: \"'\\]{1,8}([0-9a-f]{8}:[0-9a-f]{8})", None, "Sidekiq: commercial packages"),
    ("assignment", ("chpasswd:&pass",), 0,
     r"chpasswd:[\s{]*(?:\\n\s*)?list:[\s|>\[\"'\\-]{1,40}?[\w.-]{1,32}:([^\s\"'}\],\\]{4,128}+)", None, "cloud-init: chpasswd"),
    ("option", ("requirepass&pass", "masterauth&auth"), 0, r"\b(?:requirepass|masterauth) «VALUE»", None, "redis.conf"),
    ("option", ("assword&send ",), 0, r"assword[^\n]{0,120}?(?:\n[^\n]{0,40}?)?\bsend (?:-- )?\\*\"([^\"\\\n]{4,128}+)\\++[rn]", None, "expect(1)"),
    ("header", ("auth plain&auth", "auth login&auth"), 0, r"\bauth (?:plain|login) ([a-z0-9+/]{12,}+=*)", None, "RFC 4954"),
    ("url", ("?key=&key", "&key="), 0, r"[?&]key=([\w-]{16,}+)", 3.0, "Google Maps and others: key as a parameter"),
    ("url", ("jdbc:oracle",), 0, r"jdbc:oracle:\w{2,8}:\w{1,64}/([^\s@\"'/]{3,64}+)@", None, "Oracle: JDBC thin URL"),
    ("assignment", (":5432:", ":*:"), 0, r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{4,128}+)$", None, "PostgreSQL: .pgpass"),
    ("assignment", ("smtp",), 0, r"(?m)\[?\bsmtp[\w.-]{2,80}\]?(?::\d{2,5})?[ \t]+[^\s:]{1,80}:([^\s:/]{4,128}+)$", None, "Postfix: smtp_sasl_password_maps"),
    ("assignment", ("auth=(&auth", "basicauth(&auth", "basic_auth(&auth", "basicauth (&auth"), 0,
     r"auth ?=? ?\( ?(?:\\*[\"'][^\"'\n]{0,80}\\*[\"']|[\w.]{1,40}) ?, ?«QUOTED»", None, "requests, net/http: basic authentication"),
    ("assignment", ("networkcredential", "directoryentry", "mysqli&sql", "pdo(", "getconnection&connect", "_connect(&connect", "ldap_bind"), 0,
     r"(?:networkcredential|directoryentry|mysqli|\bpdo|getconnection|\w_connect|ldap_bind) ?\( ?(?:«ARGUMENT» ?, ?){1,2}«NUMBERED»«QUOTED»", None,
     ".NET, PHP, JDBC: calls that take a name and a password"),
    ("assignment", ("buildconfigfield", "resvalue"), 0,
     r"(?:buildconfigfield|resvalue)[ (]{1,3}«ARGUMENT» ?, ?\\*[\"']\w{0,40}«SECRET»\w{0,20}\\*[\"'] ?, ?«QUOTED»", None,
     "Android: build fields"),
    ("assignment", ("login(&login",), 0,
     r"\blogin\( ?(?:\\*[\"'][^\"'\n]{1,80}\\*[\"']|\w{1,40}) ?, ?«NUMBERED»«QUOTED» ?\)", None, "smtplib, ftplib: login"),
    ("assignment", ("jwt.",), 0,
     r"\bjwt\.(?:sign|verify|encode|decode)\([^\n]{1,200}?, ?(?!\\*[\"'][a-z]{2}\d{3}\\*[\"'])«QUOTED» ?[,)]", None, "jsonwebtoken, PyJWT"),
    ("assignment", ("password for &pass", "passphrase for &pass"), 0,
     r"pass(?:word|phrase) for [^\n:(\[]{1,60}: ?«NUMBERED»(?!/)«VALUE»", None, "prompts of ssh, sudo, git"),
    ("assignment", ("password for &pass",), 0, r"password for [^\n]{1,60}? is «NUMBERED»«QUOTED»", None, "prose"),
    ("assignment", ("and password &pass", "with password &pass"), 0, r"\b(?:and|with)(?: the)? password «NUMBERED»«VALUE»", None, "prose"),
    ("assignment", ("name&value",), 0,
     r"name\\*\"? ?[:=] ?\\*[\"']?[\w.-]{0,60}?«SECRET»\\*[\"']?,?\s{1,24}\\*\"?value\\*\"? ?[:=] ?«VALUE»", None,
     "Kubernetes, ECS, XML: name and value"),
    ("assignment", ("key=&value=",), 0,
     r"key=\\*[\"'][\w.:-]{0,60}?«SECRET»\\*[\"'] {1,8}value=«QUOTED»", None, "NuGet, .NET: <add key= value=>"),
    ("option", ("zip& -p", "sqlcmd& -p", "tsql& -p", "bcp& -p", "ipmitool& -p", "mosquitto& -p"), 0,
     r"(?:zip|sqlcmd|tsql|bcp|ipmitool|mosquitto_\w{3})«GAP» (?-i:-P) ?«VALUE»", None, "zip(1), sqlcmd, ipmitool(1), mosquitto_pub(1)"),
    ("option", ("redis-cli& -a",), 0, r"redis-cli«GAP» -a «VALUE»", None, "redis-cli"),
    ("option", ("openssl& -k", "openssl&pass:"), 0,
     r"openssl«GAP» -(?:k |(?:pass|passin|passout) \\*[\"']?pass:)«VALUE»", None, "openssl-enc(1), openssl-passphrase-options(1)"),
    ("option", ("ldap& -w",), 0, r"\bldap\w{3,9}«GAP» (?-i:-w) ?«VALUE»", None, "ldapsearch(1)"),
    ("option", ("htpasswd&pass",), 0, r"htpasswd (?:-\w+ ){0,4}(?:-\w{0,20}n\w{0,20} |\S{1,200} )\S{1,64} «VALUE»", None, "htpasswd(1)"),
    ("option", ("smbclient&%", "rpcclient&%"), 0, r"(?:smb|rpc)client«GAP» -U ?\\*[\"']?[^\s%\"']{1,64}%«VALUE»", None, "smbclient(1)"),
    ("option", ("ssh-keygen&key",), 0, r"ssh-keygen«GAP» (?-i:-[NP]) «VALUE»", None, "ssh-keygen(1)"),
    ("option", ("storepass&pass", "keypass&pass"), 0, r"-\w{0,8}(?:store|key)pass «VALUE»", None, "keytool"),
    ("option", ("curl& -u", "curl&-user"), 0,
     r"\bcurl[^\n|;]{0,400}? (?-i:-u|--user|--proxy-user|-U)[ =]?\\*[\"']?[\w.@+-]{1,64}:«VALUE»", None, "curl(1)"),
    ("option", ("/pass:&pass", "schtasks&/rp", "freerdp&/p:"), 0,
     r"\b(?:cmdkey|schtasks|x?freerdp|net use)«GAP» (?:/pass:|/rp |/p:)«VALUE»", None, "cmdkey, schtasks, xfreerdp(1)"),
    ("option", ("net user",), 0, r"net user \S{1,64} «VALUE» /add", None, "Windows: net user"),
    ("option", ("alias set", "host add"), 0, r"\bmc (?:alias set|config host add) \S+ \S+ \S+ «VALUE»", None, "MinIO client"),
    ("option", ("rabbitmqctl",), 0, r"rabbitmqctl«GAP» (?:add_user|change_password) \S{1,64} «VALUE»", None, "rabbitmqctl(8)"),
    ("option", ("wpa_passphrase&pass", "nmcli"), 0,
     r"(?:wpa_passphrase \S{1,64}|nmcli«GAP» (?:password|wifi-sec\.psk)) «VALUE»", None, "wpa_passphrase(8), nmcli(1)"),
    ("option", ("sqlplus&sql", "sqlldr&sql", "expdp", "impdp"), 0,
     r"\b(?:sqlplus|sqlldr|expdp|impdp) «GAP»\b[\w.]{1,64}/([^\s@\"'/]{4,64}+)@", None, "SQL*Plus"),
    ("option", ("sudo&echo", "-stdin&echo", "passwd&echo", "passphrase-fd&echo", "with-token&echo", "cryptsetup&echo", "kinit&echo", " secret&echo",
      "secret-tool&echo", "env add&echo", "pass insert&echo", "argon2&echo", "sudo&printf", "-stdin&printf", "passwd&printf",
      "passphrase-fd&printf", "with-token&printf", "cryptsetup&printf", "kinit&printf", " secret&printf", "secret-tool&printf", "env add&printf",
      "pass insert&printf", "argon2&printf"), 0,
     r"\b(?:echo|printf)(?: -\w{1,4}| \\*[\"']%s(?:\\+n)?\\*[\"']){0,8} «VALUE» *\| *«GAP»«READER»", None, "sudo(8), chpasswd(8), docker login"),
    ("option", ("sudo&<<<", "-stdin&<<<", "passwd&<<<", "passphrase-fd&<<<", "with-token&<<<", "cryptsetup&<<<", "kinit&<<<", " secret&<<<",
      "secret-tool&<<<", "env add&<<<", "pass insert&<<<", "argon2&<<<"), 0, r"«READER»[^\n|]{0,80}?<<< *«VALUE»", None, "bash(1), here strings"),
    ("assignment", ("define(",), 0,
     r"\bdefine\( *\\*[\"']\w{0,60}?(?:pass|password|passwd|pwd|secret|token|key|salt)\\*[\"'] *, *«QUOTED»", None, "PHP: define"),
    ("assignment", ("identified by&identified", "identified with&identified", "identified as&identified"), 0,
     r"identified (?:with [\w\"'\\]{1,40} )?(?:by|as) (?:password )?«QUOTED»", None, "MySQL, Oracle: CREATE USER"),
    ("assignment", ("password&create ", "password&alter "), 0,
     r"\b(?:create|alter) (?:user|role|login)[^\n;]{0,120}?\bpassword *(?:= *)?«QUOTED»", None, "PostgreSQL, SQL Server: CREATE ROLE, CREATE LOGIN"),
    ("assignment", ("convertto-securestring",), 0, r"convertto-securestring (?:-string )?«QUOTED»", None, "PowerShell: ConvertTo-SecureString"),
    ("option", ("from-literal&secret",), 0, r"--from-literal[ =]\\*[\"']?[\w.-]{1,64}=«VALUE»", None, "kubectl create secret"),
    ("option", ("secret-string&secret",), 0, r"--secret-string[ =]«VALUE»", None, "aws secretsmanager"),
    ("option", ("put-parameter&securestring",), 0, r"put-parameter«GAP» --value[ =]«VALUE»", None, "aws ssm put-parameter"),
    ("option", ("encrypt_string&crypt",), 0, r"ansible-vault encrypt_string (?:--[\w-]+[ =]\S+ ){0,4}(?!-)«VALUE»", None, "ansible-vault(1)"),
    ("option", ("kadmin",), 0, r"\bkadmin[^\n|;&]{0,160}? (?-i:-pw|-w) «VALUE»", None, "kadmin(1)"),
    ("option", ("--arg ",), 0, r"--arg \w{0,40}?«SECRET» «VALUE»", None, "jq(1)"),
    ("option", ("mkpasswd &pass",), 0, r"\bmkpasswd (?:-[\w-]{1,16}(?:[ =](?:sha-?\d+|yescrypt|bcrypt\w?|md5|des))? ){0,4}«NUMBERED»(?!-)«VALUE»", None,
     "mkpasswd(1)"),
    ("option", ("hash-password&plaintext",), 0, r"--plaintext[ =]«VALUE»", None, "caddy hash-password"),
    ("option", ("creds=", "creds "), 0, r"--(?:src-|dest-)?creds[ =]\\*[\"']?[\w.@+-]{1,64}:«VALUE»", None, "skopeo(1), podman-pull(1)"),
    ("option", ("rclone&obscure",), 0, r"\brclone obscure (?!-)«VALUE»", None, "rclone obscure"),
    ("option", ("connect to&using",), 0, r"\bconnect to \S{1,32} user \S{1,64} using «NUMBERED»«VALUE»", None, "Db2: CONNECT"),
    ("option", ("> auth &auth", "redis-cli&auth "), 0, r"(?:\d> ?|\bredis-cli[^\n|;&]{0,80}? )auth (?:[a-z]\w{0,31} )?«NUMBERED»«VALUE»", None, "Redis: AUTH"),
    ("option", ("secretsdump&secret", "psexec&exec", "wmiexec&exec", "smbexec&exec", "getuserspns", "mssqlclient&sql", "impacket"), 0,
     r"(?:secretsdump|psexec|wmiexec|smbexec|getuserspns|mssqlclient|impacket-\w{1,20})«GAP»[\w.-]{1,40}/[\w.-]{1,64}:\\*[\"']?([^\s@\"']{4,128}+)",
     None, "Impacket"),
    ("option", ("nsupdate", "dig& -y "), 0,
     r"\b(?:nsupdate|dig)[^\n|;&]{0,160}? -y \\*[\"']?(?:hmac-\w{3,8}:)?[\w.-]{1,80}:([\w+/]{16,}+=*)", None, "nsupdate(1), dig(1)"),
    ("assignment", ("set_password(&pass",), 0, r"set_password\( ?«ARGUMENT» ?, ?«ARGUMENT» ?, ?«QUOTED»", None, "Python: keyring"),
    ("assignment", ("createhmac(&create", "createcipheriv(&create", "hmac.new("), 0,
     r"(?:create(?:hmac|cipheriv)\( ?«ARGUMENT» ?, ?|\bhmac\.new\( ?b?)«NUMBERED»«QUOTED»", None, "Node: crypto; Python: hmac"),
    ("assignment", (".tochararray()",), 0,
     r"\b(?:load|init|store|getkey|passwordauthentication|pbekeyspec|passwordprotection)\([^\n]{0,120}?«QUOTED»\.tochararray\(\)", None,
     "Java: keys and logins"),
    ("assignment", ("@tcp(", "@unix("), 0, r"\b[\w.-]{1,64}:([^\s:@\"'/]{4,128}+)@(?:tcp|unix)\(", None, "Go: MySQL driver"),
    ("assignment", ("plainauth(&auth",), 0, r"plainauth\( ?«ARGUMENT» ?, ?«ARGUMENT» ?, ?«QUOTED»", None, "Go: net/smtp"),
    ("assignment", ("basic_auth &auth",), 0, r"\bbasic_auth «ARGUMENT» ?, ?«QUOTED»", None, "Ruby: net/http"),
    ("assignment", ("cookieparser(", "fernet("), 0, r"\b(?:cookieparser|fernet)\( ?b?«QUOTED»", None, "Express: cookie-parser; Python: cryptography"),
    ("assignment", ("create_user(&create", "create_superuser(&create"), 0,
     r"create_(?:super)?user\( ?(?:«ARGUMENT» ?, ?){1,2}«NUMBERED»(?!\\*[\"'][^\"'\n]{0,80}@)«QUOTED» ?[,)]", None, "Django: users"),
    ("assignment", (".connect(&connect",), 0,
     r"\b(?:(?:ssh|client|transport)\.connect\( ?(?:«ARGUMENT» ?, ?){3}|(?:pymysql|mysqldb)\.connect\( ?(?:«ARGUMENT» ?, ?){2})«NUMBERED»«QUOTED»",
     None, "Paramiko, PyMySQL: connect"),
    ("assignment", ("set password&pass",), 0, r"\bset password (?:for [^\n=]{1,120})?= ?(?:password\( ?)?«QUOTED»", None, "MySQL: SET PASSWORD"),
    ("assignment", ("pragma&key",), 0, r"\bpragma (?:hex|re)?key ?= ?«QUOTED»", None, "SQLCipher: PRAGMA key"),
    ("assignment", ("pgp_sym_", "aes_encrypt(&crypt", "aes_decrypt(&crypt"), 0,
     r"(?:pgp_sym_\w{7,14}|aes_(?:en|de)crypt)\([^\n]{1,200}?, ?«QUOTED»", None, "PostgreSQL: pgcrypto; MySQL: encryption functions"),
    ("assignment", ("password 0 &pass", "password 5 &pass", "password 7 &pass",
      "secret 0 &secret", "secret 5 &secret", "secret 8 &secret", "secret 9 &secret", "key 7 &key"), 0,
     r"\b(?:password|secret|key) [05789] (?=\S{0,64}\d)([^\s\"']{8,128}+)", None, "Cisco IOS: user names, TACACS+"),
    ("assignment", ("isakmp key&key", "pre-shared-key &key"), 0,
     r"\b(?:isakmp key|pre-shared-key)(?: (?:ascii-text|hexadecimal|local|remote|[067]))* «NUMBERED»«VALUE»", None, "Cisco, Juniper: IPsec keys"),
    ("assignment", ("snmp-server",), 0, r"\bsnmp-server community (?!(?:public|private)\b)«VALUE»", None, "Cisco IOS: SNMP"),
    ("assignment", ("key content&key",), 0, r"key content *: ([^\s\"'\\]{8,63}+)", None, "Windows: netsh wlan"),
    ("assignment", (" login &login",), 0, r"(?m)^[a-z]{1,2}\d{1,5} login \S{1,100} «NUMBERED»«VALUE»", None, "RFC 9051 (IMAP)"),
    ("assignment", ("pass &user ",), 0,
     r"(?m)^[->*<= ]{0,8}user \S{1,64}(?:\r?\n|\\n)(?:[^\n]{0,120}\n|[^\n]{0,120}?\\n)?[->*<= ]{0,8}pass «VALUE»", None,
     "RFC 959 (FTP), RFC 1939 (POP3)"),
    ("url", ("?code=", "&code="), 0, r"[?&]code=([\w-]{40,}+=*)", 3.5, "Azure Functions: keys as a parameter; RFC 6749: authorization codes"),
    ("jetbrains", ("perm:", "perm-"), 0,
     r"\bperm[:-]([A-Za-z0-9+/=_-]{4,400}+\.[A-Za-z0-9+/=_-]{4,400}+\.[A-Za-z0-9+/=_-]{20,}+)", 3.0, "JetBrains: permanent tokens"),
    ("rancher", ("token-",), 0, r"\btoken-[a-z0-9]{5}:([a-z0-9]{54})\b", 3.0, "Rancher: API keys"),
    ("crypt", ("scram-sha-",), 0, r"scram-sha-(?:1|256)\$\d{3,8}:([A-Za-z0-9+/]{12,}+=*\$[A-Za-z0-9+/]{20,}+=*:[A-Za-z0-9+/]{20,}+=*)", 3.0,
     "PostgreSQL: SCRAM verifiers"),
    ("crypt", ("{ssha",), 0, r"\{ssha\d{0,3}\}([A-Za-z0-9+/]{20,}+=*)", 3.0, "slappasswd(8): hashes of passwords"),
    ("assignment", ("psk=",), 0, r"\bpsk=«QUOTED»", None, "wpa_supplicant.conf(5)"),
    ("assignment", ("kty",), 0, r"\bd\\*\" ?: ?\\*\"([\w-]{40,}+)\\*\"", 3.0, "RFC 7517, 7518 (JWK)"),
    ("assignment", ("private-lines",), 0, r"private-lines: \d+(?:\s|\\[rn])+((?:[A-Za-z0-9+/=]{4,}+(?:\s|\\[rn])*+)++)", None, "PuTTY: private key files"),
)  # fmt: skip
"""Only for texts that may be command lines. Keywords are searched in lower case; patterns ignore case and may match anywhere."""
PRIVATE_KEY = "private_key"
"""RFC 7468, and PGP blocks (RFC 4880, 6.2)."""
